import type { ChatCodec } from '../canonical/codec.ts'
import { costlyNames } from '../costs/field-rows.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { type DecodeState, decodeStream } from './decode-stream.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { type EncodeState, encodeStream } from './encode-stream.ts'
import { decodeError, encodeError, encodeStreamError } from './error.ts'
import { inspectRequest, nativeEdits } from './inspect.ts'
import { instructionEdits } from './instruction-edits.ts'
import { promptOf } from './prompt.ts'

/** Anthropic's Messages format. https://platform.claude.com/docs/en/api/messages */
export const anthropicMessages: ChatCodec<DecodeState, EncodeState> = {
  format: 'anthropic-messages',
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
