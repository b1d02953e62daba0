export { readModeAnswer, rerankUsage } from './answers.ts'
export { ByteStreamReader } from './byte-stream.ts'
export { openAiEdits } from './edits.ts'
export {
  decodeEmbeddingRequest,
  type EmbeddingAnswer,
  type EmbeddingInput,
  type EmbeddingRequest,
  embeddingCodec,
} from './embeddings.ts'
export { EventStreamReader } from './event-stream.ts'
export { checkImageRequest, imageChecks } from './image-checks.ts'
export {
  addressedImages,
  filterReason,
  type ImageAnswer,
  type ImageRequest,
  imageCodec,
  type MadeImage,
} from './images.ts'
export { readMediaUsage } from './media-usage.ts'
export {
  jsonType,
  type LinkedFiles,
  type PlainCall,
  type PlainCodec,
  type PlainReading,
  type Translation,
  WireAnswer,
} from './plain-codec.ts'
export { isPricedByCharacter } from './prompts.ts'
export { isJsonMode, readModeRequest } from './requests.ts'
export { type RerankAnswer, type RerankRequest, type RerankResult, rerankCodec } from './rerank.ts'
export { audioTypeOf, type SpeechAnswer, type SpeechRequest, speechCodec } from './speech.ts'
export { isTranscriptText, readTranscription, transcriptType } from './transcription.ts'
export {
  decodeTranscriptionRequest,
  type EncodedTranscription,
  encodeTranscription,
  type TranscriptionAnswer,
  type TranscriptionCodec,
} from './transcription-codec.ts'
