import { gemini, RequestFault } from '@tollgate/formats'
import { type ChatDialectOptions, createChatDialect, readJson, refusalOf } from './chat-dialect.ts'
import type { CallPath, CallRequest, Dialect } from './dialect.ts'
import { GeminiEmbeddingRequest } from './gemini-embedding-request.ts'

/** Gemini's generateContent and its sister methods. */
export function createGeminiDialect(options: ChatDialectOptions): Dialect {
  const chat = createChatDialect(gemini, options)
  return {
    ...chat,
    readRequest: (mode, body, path) =>
      mode === 'embeddings' ? readEmbedding(body, path, options) : chat.readRequest(mode, body, path),
  }
}

function readEmbedding(body: string, path: CallPath, options: ChatDialectOptions): CallRequest {
  const native = readJson(body, options.maxJsonDepth)
  try {
    return new GeminiEmbeddingRequest(native, path, options)
  } catch (error) {
    if (error instanceof RequestFault) throw refusalOf(error)
    throw error
  }
}
