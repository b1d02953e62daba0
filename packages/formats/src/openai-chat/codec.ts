import type { ChatCodec } from '../canonical/codec.ts'
import { decodeErrorBody } from '../decode-error.ts'
import { promptOfChat } from './chat-prompt.ts'
import { decodeRequest } from './decode-request.ts'
import { decodeResponse } from './decode-response.ts'
import { type ChunkState, decodeStream } from './decode-stream.ts'
import { nativeEdits } from './edits.ts'
import { encodeRequest } from './encode-request.ts'
import { encodeResponse } from './encode-response.ts'
import { type ChunkEncoding, encodeStream } from './encode-stream.ts'
import { encodeError, encodeStreamError } from './error.ts'
import { inspectRequest } from './facts.ts'
import { instructionEdits } from './instruction-edits.ts'
import { chatFields } from './request.ts'

/** OpenAI's Chat Completions, and what others have added to it: reasoning, signatures, images. */
export const openAiChat: ChatCodec<ChunkState, ChunkEncoding> = {
  format: 'openai-chat',
  decisiveFields: chatFields,
  inspectRequest,
  promptOf: promptOfChat,
  nativeEdits,
  instructionEdits,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  decodeError: decodeErrorBody,
  encodeError,
  encodeStreamError,
}
