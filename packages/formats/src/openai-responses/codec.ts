import type { ChatCodec } from '../canonical/codec.ts'
import { costlyNames } from '../costs/field-rows.ts'
import { encodeError } from '../openai-chat/error.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { type DecodeState, decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { type EncodeState, encodeStream } from './encode-stream.ts'
import { decodeError, encodeStreamError } from './error.ts'
import { inspectRequest, nativeEdits } from './inspect.ts'
import { instructionEdits } from './instruction-edits.ts'
import { promptOf } from './prompt.ts'
import { echoOf } from './response-object.ts'

/** OpenAI's Responses format. https://platform.openai.com/docs/api-reference/responses */
export const openAiResponses: ChatCodec<DecodeState, EncodeState> = {
  format: 'openai-responses',
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
