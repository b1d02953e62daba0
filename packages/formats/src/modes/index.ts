export { ByteStreamReader } from './byte-stream.ts'
export { openAiEdits } from './edits.ts'
export {
  decodeEmbeddingRequest,
  type EmbeddingInput,
  type EmbeddingRequest,
  type EmbeddingResponse,
  embeddingCodec,
} from './embeddings.ts'
export { EventStreamReader } from './event-stream.ts'
export { checkImageRequest, imageChecks } from './image-checks.ts'
export {
  addressedImages,
  filterReason,
  type ImageRequest,
  type ImageResponse,
  imageCodec,
  type MadeImage,
} from './images.ts'
export { readMediaUsage } from './media-usage.ts'
export {
  jsonType,
  type LinkedFiles,
  type ModeCall,
  type ModeCodec,
  type ModeResponse,
  type ModeTranslation,
  WireResponse,
} from './plain-codec.ts'
export { isPricedByCharacter } from './prompts.ts'
export { isJsonMode, readModeRequest } from './requests.ts'
export { type RerankRequest, type RerankResponse, type RerankResult, rerankCodec } from './rerank.ts'
export { readModeResponse, rerankUsage } from './responses.ts'
export { audioTypeOf, type SpeechRequest, type SpeechResponse, speechCodec } from './speech.ts'
export { isTranscriptText, readTranscription, transcriptType } from './transcription.ts'
export {
  decodeTranscriptionRequest,
  type EncodedTranscription,
  encodeTranscription,
  type TranscriptionCodec,
  type TranscriptionResponse,
} from './transcription-codec.ts'
