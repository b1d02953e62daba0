export { openAiEdits } from './edits.ts'
export {
  decodeEmbeddingRequest,
  type EmbeddingInput,
  type EmbeddingRequest,
  type EmbeddingVectors,
  embeddingCodec,
  packedEmbeddings,
} from './embeddings.ts'
export { ByteStreamReader, EventStreamReader } from './event-stream.ts'
export {
  addressedImages,
  filterReason,
  type ImageRequest,
  type ImageResponse,
  imageCodec,
  imageCount,
  type MadeImage,
} from './images.ts'
export {
  type BodyFindings,
  jsonType,
  type LinkedFiles,
  type ModeCall,
  type ModeCodec,
  type ModeResponse,
  type ModeTranslation,
  WireResponse,
} from './plain-codec.ts'
export {
  checkImageRequest,
  imageChecks,
  isJsonMode,
  isPricedByCharacter,
  readModeRequest,
} from './request-kinds.ts'
export {
  encodeRerankV2,
  type RerankRequest,
  type RerankResponse,
  type RerankResult,
  rerankCodec,
} from './rerank.ts'
export { readMediaUsage, readModeResponse, rerankUsage } from './responses.ts'
export { audioTypeOf, type SpeechRequest, type SpeechResponse, speechCodec, spokenTokens } from './speech.ts'
export {
  decodeTranscriptionRequest,
  type EncodedTranscription,
  encodeTranscription,
  isTranscriptText,
  readTranscription,
  type TranscriptionCodec,
  type TranscriptionResponse,
  transcriptType,
} from './transcription.ts'
