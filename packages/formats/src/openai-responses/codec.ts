import type { ChatCodec } from '../canonical/codec.ts'
import { costlyNames } from '../costs/costly-field.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeRequest } from './request/encode-request.ts'
import { inspectRequest, instructionEdits, nativeEdits } from './request/inspect.ts'
import { promptOf } from './request/prompt.ts'
import { decodeResponse } from './response/decode-response.ts'
import { type DecodeState, decodeStream } from './response/decode-stream.ts'
import { encodeResponse } from './response/encode-response.ts'
import { type EncodeState, encodeStream } from './response/encode-stream.ts'
import { decodeError, encodeError, encodeStreamError } from './response/error.ts'
import { echoOf } from './response/response-object.ts'

/** OpenAI's Responses format. https://platform.openai.com/docs/api-reference/responses */
export const openAiResponses: ChatCodec<DecodeState, EncodeState> = {
  format: 'openai-responses',
  callRules: { takesObjects: false, endsMalformed: false },
  decisiveFields: new Set([
    'model',
    'input',
    'instructions',
    'stream',
    'max_output_tokens',
    'reasoning',
    'background',
    'previous_response_id',
    ...costlyNames['openai-responses'],
  ]),
  inspectRequest,
  promptOf,
  nativeEdits,
  instructionEdits,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  echoOf,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
  encodeStreamError,
}
