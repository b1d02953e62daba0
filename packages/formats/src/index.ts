export {
  type JsonEdits,
  type JsonMember,
  type JsonScan,
  type JsonScanResult,
  memberText,
  scanTopLevel,
  spliceMembers,
} from './json-text.ts'
export { type CodeKinds, decodeOpenAiError } from './openai-chat/decode-error.ts'
export type { Delivered } from './openai-chat/delivered-text.ts'
export {
  applyEdits,
  type EditTarget,
  editsFor,
  parseParamOverride,
  type RequestQuirks,
} from './openai-chat/edits.ts'
export { encodeErrorBody, encodeErrorEvent, type OpenAiError } from './openai-chat/error.ts'
export { statusOfKind } from './openai-chat/error-kind.ts'
export type { Prompt, PromptImage, PromptMessage } from './openai-chat/prompt.ts'
export {
  type OpenAiRequest,
  type RequestLimits,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
} from './openai-chat/request.ts'
export type { RequestError } from './openai-chat/request-checks.ts'
export { type Answer, readChatAnswer, readEmbeddingAnswer } from './openai-chat/response.ts'
export {
  OpenAiStreamReader,
  type StreamOptions,
  type StreamOutcome,
  type StreamPhase,
  type StreamStep,
} from './openai-chat/stream.ts'
export { encodeUsage, readUsage } from './openai-chat/usage.ts'
export { redact, type Secrets } from './redact.ts'
export { FrameTooLargeError, type SseFrame, SseScanner } from './sse.ts'
export * from './upstream-error.ts'
export * from './usage.ts'
