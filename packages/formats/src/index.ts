export { ambiguousKey } from './ambiguous-key.ts'
export { anthropicMessages } from './anthropic-messages/codec.ts'
export { toolInput } from './anthropic-messages/encode-content.ts'
export { defaultMaxTokens } from './anthropic-messages/encode-request.ts'
export { outputToolName } from './anthropic-messages/encode-tools.ts'
export { CallIds } from './anthropic-messages/encoding.ts'
export { unsupported } from './anthropic-messages/fields.ts'
export { argumentsSchema } from './anthropic-messages/schema.ts'
export type { ApiError } from './api-error.ts'
export { callerFieldName, withCallerFieldName } from './caller-field-names.ts'
export * from './canonical/index.ts'
export { chatCodecs } from './codecs.ts'
export { collectResponse, ResponseCollector } from './collect-response.ts'
export { buildAutomaton } from './content-filter/build-automaton.ts'
export { filterBody, type WordFilter } from './content-filter/filter-body.ts'
export { FilteredStream } from './content-filter/filter-stream.ts'
export { textsOf } from './content-filter/texts-of.ts'
export type { WordAutomaton } from './content-filter/word-automaton.ts'
export * from './costs/index.ts'
export { type Base64Data, dataUrl, readDataUrl } from './data-url.ts'
export { type CodeKinds, decodeErrorBody } from './decode-error.ts'
export type { Delivered } from './delivered-text.ts'
export { statusOfKind } from './error-kind.ts'
export { eventObject, expectMembers, type MemberShapes } from './event-shape.ts'
export { type RequestError, runChecks } from './field-checks.ts'
export * from './framing/index.ts'
export { gemini } from './gemini/codec.ts'
export {
  type GeminiEmbeddingCall,
  geminiEmbeddingEdits,
  geminiEmbeddingResponse,
  openAiEmbeddingOf,
  readGeminiEmbedding,
  readGeminiVectors,
  textsToEmbed,
} from './gemini/embeddings.ts'
export { traitsOf as geminiTraits } from './gemini/model.ts'
export { readUsage as readGeminiUsage } from './gemini/usage.ts'
export { type Instructions, withInstructions } from './instructions.ts'
export {
  type JsonEdits,
  type JsonMember,
  type JsonScan,
  type JsonScanResult,
  memberText,
  scanTopLevel,
  spliceMembers,
} from './json-text.ts'
export { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from './json-value.ts'
export { type MediaAddress, mediaAddressesIn, withMediaBytes } from './media-addresses.ts'
export * from './midjourney/index.ts'
export * from './modes/index.ts'
export { withCallIds } from './openai-chat/call-ids.ts'
export { openAiChat } from './openai-chat/codec.ts'
export { type ChunkState, newChunkState, readChunk } from './openai-chat/decode-stream.ts'
export {
  applyEdits,
  type EditTarget,
  editsFor,
  parseParamOverride,
} from './openai-chat/edits.ts'
export { supportedTools } from './openai-chat/encode-tools.ts'
export { encodeErrorBody, encodeErrorEvent, type OpenAiError } from './openai-chat/error.ts'
export { given } from './openai-chat/faults.ts'
export { flattenContent } from './openai-chat/flatten-content.ts'
export {
  type JsonMode,
  type OpenAiRequest,
  type RequestLimits,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
} from './openai-chat/request.ts'
export { readChatResponse, readEmbeddingResponse } from './openai-chat/response.ts'
export { applyStyle, type ResponseStyle } from './openai-chat/response-style.ts'
export { OpenAiStreamReader, type StreamOptions } from './openai-chat/stream.ts'
export { styledChat } from './openai-chat/styled-codec.ts'
export { encodeUsage, readUsage } from './openai-chat/usage.ts'
export { encodeRealtimeError } from './openai-realtime/error.ts'
export { RealtimeMeter } from './openai-realtime/meter.ts'
export { sessionFields } from './openai-realtime/session-fields.ts'
export { type TranscriptionSetting, transcriptionSetting } from './openai-realtime/transcription-setting.ts'
export { openAiResponses } from './openai-responses/codec.ts'
export { openAiCompaction } from './openai-responses/compaction.ts'
export { decodeError as decodeResponsesError } from './openai-responses/error.ts'
export * from './openai-videos/index.ts'
export type { Prompt, PromptImage, PromptMessage } from './prompt.ts'
export { promptOfRequest } from './prompt-of-request.ts'
export { redact, type Secrets } from './redact.ts'
export type { RequestQuirks, RequestText } from './request-text.ts'
export {
  type BufferedResponse,
  readResponse,
  type TranslatedResponse,
  translateResponse,
} from './response-body.ts'
export { singleEventCodec } from './response-parts.ts'
export { type ResponseEncoding, ResponseStream, type ResponseStreamOptions } from './response-stream.ts'
export { deliveredIn, plausibleUsage } from './response-text.ts'
export { StreamMeter, type StreamOutcome, type StreamPhase } from './stream-meter.ts'
export type { StreamReader, StreamStep } from './stream-reader.ts'
export * from './suno/index.ts'
export { decodeTokenCount, encodeTokenCount, requestToCount } from './token-count.ts'
export * from './upstream-error.ts'
export * from './usage.ts'
export { base64OfBytes, bytesOfBase64 } from './utf8.ts'
export { lostVendorFields } from './vendor-fields.ts'
