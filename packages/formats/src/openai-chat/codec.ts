import type { ChatCodec } from '../canonical/codec.ts'
import { decodeErrorBody } from '../errors/decode-error.ts'
import { decodeRequest } from './request/decode-request.ts'
import { instructionEdits, nativeEdits } from './request/edits.ts'
import { encodeRequest } from './request/encode-request.ts'
import { inspectRequest } from './request/inspect.ts'
import { inOwnWords } from './request/other-words/index.ts'
import { promptOfChat } from './request/prompt.ts'
import { chatFields } from './request.ts'
import { decodeResponse } from './response/decode-response.ts'
import { type ChunkState, decodeStream } from './response/decode-stream.ts'
import { customNamesIn, encodeResponse } from './response/encode-response.ts'
import { type ChunkEncoding, encodeStream } from './response/encode-stream.ts'
import { encodeError, encodeStreamError } from './response/error.ts'
import { readsThinkingBlocks } from './thinking-blocks.ts'

/** OpenAI's Chat Completions, and what others have added to it: reasoning, signatures, images. */
export const openAiChat: ChatCodec<ChunkState, ChunkEncoding> = {
  format: 'openai-chat',
  callRules: { takesObjects: false, endsMalformed: false },
  decisiveFields: chatFields,
  inOwnWords,
  inspectRequest,
  promptOf: promptOfChat,
  nativeEdits,
  instructionEdits,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  // Its form of reasoning: see `readsThinkingBlocks`; and the tools whose calls hold free text.
  echoOf(body) {
    const custom = customNamesIn(body.tools)
    const blocks = readsThinkingBlocks(body)
    if (!blocks && custom.length === 0) return undefined
    return { ...(blocks && { thinking_blocks: true }), ...(custom.length > 0 && { custom_tools: custom }) }
  },
  decodeStream,
  encodeStream,
  decodeError: decodeErrorBody,
  encodeError,
  encodeStreamError,
}
