import type { ChatCodec } from '../canonical/codec.ts'
import { costlyNames } from '../costs/field-rows.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { type DecodeState, streamDecoder } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { type EncodeState, streamEncoder } from './encode-stream.ts'
import { decodeError, encodeError, encodeStreamError } from './error.ts'
import { inspectRequest, nativeEdits } from './inspect.ts'
import { instructionEdits } from './instruction-edits.ts'
import { promptOf } from './prompt.ts'

/**
 * Google's `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI. The model and whether to
 * stream stand in the path. https://ai.google.dev/api/generate-content
 */
export const gemini: ChatCodec<DecodeState, EncodeState> = {
  format: 'gemini',
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
