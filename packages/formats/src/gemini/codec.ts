import type { ChatCodec } from '../canonical/codec.ts'
import { costlyNames } from '../costs/costly-field.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { inspectRequest, instructionEdits, nativeEdits } from './request/inspect.ts'
import { promptOf } from './request/prompt.ts'
import { decodeResponse } from './response/decode-response.ts'
import { type DecodeState, streamDecoder } from './response/decode-stream.ts'
import { encodeResponse } from './response/encode-response.ts'
import { type EncodeState, streamEncoder } from './response/encode-stream.ts'
import { decodeError, encodeError, encodeStreamError } from './response/error.ts'

/**
 * Google's `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI. The model and whether to
 * stream are in the path. https://ai.google.dev/api/generate-content
 */
export const gemini: ChatCodec<DecodeState, EncodeState> = {
  format: 'gemini',
  callRules: { takesObjects: true, endsMalformed: true },
  decisiveFields: new Set([
    'contents',
    'generationConfig',
    'generation_config',
    'systemInstruction',
    'system_instruction',
    ...costlyNames.gemini,
  ]),
  inspectRequest,
  promptOf,
  nativeEdits,
  instructionEdits,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream: streamDecoder,
  encodeStream: streamEncoder,
  decodeError,
  encodeError,
  encodeStreamError,
}
