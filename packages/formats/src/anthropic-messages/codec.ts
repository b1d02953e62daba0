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

/** Anthropic's Messages format. https://platform.claude.com/docs/en/api/messages */
export const anthropicMessages: ChatCodec<DecodeState, EncodeState> = {
  format: 'anthropic-messages',
  callRules: { takesObjects: true, endsMalformed: false },
  decisiveFields: new Set([
    'model',
    'messages',
    'max_tokens',
    'stream',
    'system',
    'thinking',
    ...costlyNames['anthropic-messages'],
  ]),
  inspectRequest,
  promptOf,
  nativeEdits,
  instructionEdits,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  decodeError,
  encodeError,
  encodeStreamError,
}
