import { openAiCompaction, openAiResponses } from '@tollgate/formats'
import { type ChatDialectOptions, createChatDialect } from './chat-dialect.ts'
import type { Dialect } from './dialect.ts'

/** OpenAI's Responses, and the compaction of its conversations. */
export function createResponsesDialect(options: ChatDialectOptions): Dialect {
  const responses = createChatDialect(openAiResponses, options)
  const compaction = createChatDialect(openAiCompaction, options)
  return {
    ...responses,
    readRequest: (mode, body, path) =>
      (path.isCompaction === true ? compaction : responses).readRequest(mode, body, path),
  }
}
