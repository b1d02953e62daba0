export { anthropicMessages } from './anthropic-messages/codec.ts'
export { claudeTraits } from './anthropic-messages/request/claude-model.ts'
export { toolInput } from './anthropic-messages/request/encode-messages.ts'
export { defaultMaxTokens } from './anthropic-messages/request/encode-request.ts'
export {
  effortOfBudget,
  minThinkingBudget,
  thinkingBudgets,
} from './anthropic-messages/request/encode-thinking.ts'
export { CallIds } from './anthropic-messages/request/encoding.ts'
export {
  compileHostRules,
  fitToHost,
  type HostFit,
  type HostRules,
  type KnownMembers,
  type MessagesPart,
  type PlacedRule,
} from './anthropic-messages/request/host-rules.ts'
export * from './canonical/index.ts'
export {
  type Instructions,
  jsonInstruction,
  outputToolDescription,
  outputToolName,
  schemaInstruction,
  withInstructions,
} from './canonical/instructions.ts'
export type { Prompt, PromptImage, PromptMessage } from './canonical/prompt.ts'
export { promptOfRequest } from './canonical/prompt.ts'
export type { SchemaDialect, SchemaProfile } from './canonical/schema-dialect.ts'
export { chatCodecs } from './codecs.ts'
export { buildAutomaton } from './content-filter/build-automaton.ts'
export { filterBody, truncateBody, type WordFilter } from './content-filter/filter-body.ts'
export { FilteredStream } from './content-filter/filter-stream.ts'
export { textsOf } from './content-filter/response-texts.ts'
export type { WordAutomaton } from './content-filter/word-automaton.ts'
export * from './costs/index.ts'
export { withoutQuotations } from './errors/account-facts.ts'
export { type CodeKinds, decodeErrorBody } from './errors/decode-error.ts'
export { statusOfKind } from './errors/error-kind.ts'
export { inCallersModel, modelMembers } from './errors/model-names.ts'
export {
  callerStatus,
  publicMessage,
  publicName,
  publicParam,
  publicReason,
  unavailableMessage,
} from './errors/public-words.ts'
export { redact, type Secrets } from './errors/redact.ts'
export type { ApiError } from './errors/upstream-error.ts'
export * from './errors/upstream-error.ts'
export { eventObject, expectMembers, type MemberShapes } from './framing/event-shape.ts'
export * from './framing/index.ts'
export { gemini } from './gemini/codec.ts'
export {
  type GeminiEmbeddingCall,
  geminiEmbeddingEdits,
  geminiEmbeddingResponse,
  geminiVectors,
  openAiEmbeddingOf,
  readGeminiEmbedding,
  readGeminiVectors,
  textsToEmbed,
} from './gemini/request/embeddings.ts'
export { geminiBudgets } from './gemini/request/encode-request.ts'
export { traitsOf as geminiTraits } from './gemini/request/model.ts'
export { readUsage as readGeminiUsage } from './gemini/response/usage.ts'
export { ambiguousKey } from './json/ambiguous-key.ts'
export { type ContentOutline, type ContentShape, contentOutline } from './json/bytes/content-outline.ts'
export { parseExactJson, parseScanned } from './json/exact-json.ts'
export { describeExcess, type JsonExcess } from './json/excess.ts'
export { MemberEditor, type MemberTexts } from './json/member-editor.ts'
export { type JsonPath, type NestedEdit, textWithEdits, valueWithEdits } from './json/nested-edits.ts'
export { numberOf, withoutText } from './json/number-text.ts'
export { JsonOutline } from './json/outline.ts'
export {
  containsText,
  memberTextOf,
  outlineOf,
  type ReceivedJson,
  type RequestQuirks,
  type RequestText,
} from './json/request-text.ts'
export { structureOf } from './json/structure.ts'
export {
  type JsonEdits,
  type JsonMember,
  type JsonScan,
  type JsonScanResult,
  memberText,
  scanTopLevel,
  splicedPieces,
  spliceMembers,
} from './json/text.ts'
export { base64OfBytes, bytesOfBase64, decodeUtf8, encodeUtf8 } from './json/utf8.ts'
export { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from './json/value.ts'
export { type Base64Data, dataUrl, isTextFile, readDataUrl } from './media.ts'
export * from './midjourney/index.ts'
export * from './modes/index.ts'
export { openAiChat } from './openai-chat/codec.ts'
export {
  applyEdits,
  type EditTarget,
  editsFor,
  parseParamOverride,
} from './openai-chat/request/edits.ts'
export { withCallIds } from './openai-chat/request/encode-messages.ts'
export { supportedTools } from './openai-chat/request/encode-tools.ts'
export { type ModelTurn, modelTurnOf } from './openai-chat/request/inspect.ts'
export {
  type JsonMode,
  type OpenAiRequest,
  type RequestLimits,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
} from './openai-chat/request.ts'
export {
  readChatOutline,
  readChatResponse,
  readEmbeddingResponse,
} from './openai-chat/response/decode-response.ts'
export { type ChunkState, newChunkState, readChunk } from './openai-chat/response/decode-stream.ts'
export { encodeErrorBody, encodeErrorEvent, type OpenAiError } from './openai-chat/response/error.ts'
export { flattenContent } from './openai-chat/response/flatten-content.ts'
export { applyStyle, type ResponseStyle, styledChat } from './openai-chat/response/response-style.ts'
export { OpenAiStreamReader, type StreamOptions } from './openai-chat/response/stream.ts'
export { encodeUsage, readUsage } from './openai-chat/response/usage.ts'
export { hasThinkingBlocks, withoutThinkingBlocks } from './openai-chat/thinking-blocks.ts'
export { RealtimeMeter } from './openai-realtime/meter.ts'
export {
  encodeRealtimeError,
  type NamedModel,
  realtimeError,
  sessionFields,
  sessionModel,
  transcriptionSetting,
  withRealtimeError,
} from './openai-realtime/session-events.ts'
export { openAiResponses } from './openai-responses/codec.ts'
export { asksForCompaction, openAiCompaction, openAiCompactionTurn } from './openai-responses/compaction.ts'
export { decodeError as decodeResponsesError } from './openai-responses/response/error.ts'
export { compactionTrigger } from './openai-responses/response/item-content.ts'
export * from './openai-videos/index.ts'
export { hasPlainText } from './requests/bytes/plain-message.ts'
export { type ByteScan, scanBytes } from './requests/bytes/scan-bytes.ts'
export { withinMarkLimit } from './requests/cache-marks.ts'
export { callerFieldName, withCallerFieldName } from './requests/caller-field-names.ts'
export { withoutCustomTools } from './requests/custom-tools.ts'
export { callIdsIn, withDistinctCalls, withFreeCallIds } from './requests/distinct-calls.ts'
export {
  provided,
  type RequestError,
  runChecks,
  unsupportedByProvider as unsupported,
} from './requests/fields.ts'
export { type MediaAddress, mediaAddressesIn, withMediaBytes } from './requests/media-addresses.ts'
export { attachedText, responseLabel, resultLabel, withMovedMedia } from './requests/moved-media.ts'
export { withResultsBehindCalls } from './requests/results-behind-calls.ts'
export { refusesSignedReasoning, withoutSignedReasoning } from './requests/signed-reasoning.ts'
export { decodeTokenCount, encodeTokenCount, requestToCount } from './requests/token-count.ts'
export { lostVendorFields } from './requests/vendor-fields.ts'
export { schemaDialects } from './schemas/dialects.ts'
export { fitRequest } from './schemas/fit-request.ts'
export { fitSchema, type SchemaFit } from './schemas/fit-schema.ts'
export { unfinished } from './streams/call-arguments.ts'
export { collectResponse, ResponseCollector } from './streams/collect-response.ts'
export {
  type BufferedResponse,
  deliveredIn,
  plausibleUsage,
  readOutline,
  readResponse,
  type TranslatedResponse,
  translateResponse,
} from './streams/response-body.ts'
export { singleEventCodec } from './streams/response-parts.ts'
export type { Delivered } from './streams/stream-meter.ts'
export { StreamMeter, type StreamOutcome, type StreamPhase } from './streams/stream-meter.ts'
export type { StreamReader, StreamStep } from './streams/stream-reader.ts'
export { restoreToolNames, type ToolNames, withToolNames } from './streams/tool-names.ts'
export { contentShape, deliveringMember, WholeBodyReader } from './streams/whole-body.ts'
export * from './suno/index.ts'
export {
  type ResponseEncoding,
  ResponseStream,
  type ResponseStreamOptions,
} from './translation/response-stream.ts'
export { collectBody } from './translation/streamed-body.ts'
export * from './usage.ts'
