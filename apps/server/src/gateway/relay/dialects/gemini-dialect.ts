import { gemini, RequestFault } from '@tollgate/formats'
import { type CallText, textAlone } from '../bodies/call-text.ts'
import { callPath } from './call-path.ts'
import { type ChatDialectOptions, createChatDialect, readJson, refusalOf } from './chat-dialect.ts'
import type { CallPath, CallRequest, Dialect } from './dialect.ts'
import { GeminiEmbeddingRequest } from './gemini-embedding-request.ts'

/** Gemini's generateContent and its sister methods. */
export function createGeminiDialect(options: ChatDialectOptions): Dialect {
  const chat = createChatDialect('gemini', gemini, options)
  return {
    ...chat,
    read: (mode, body, received) =>
      mode === 'embeddings'
        ? { request: readEmbedding(body, callPath('gemini', received), options) }
        : chat.read(mode, body, received),
  }
}

function readEmbedding(body: CallText, path: CallPath, options: ChatDialectOptions): CallRequest {
  const native = readJson(textAlone(body), options.maxJsonDepth)
  try {
    return new GeminiEmbeddingRequest(native, path, options)
  } catch (error) {
    if (error instanceof RequestFault) throw refusalOf(error)
    throw error
  }
}
