import { isJsonMode, openAiChat, readModeRequest } from '@tollgate/formats'
import { RelayError } from '../relay-error.ts'
import { type ChatDialectOptions, createChatDialect } from './chat-dialect.ts'
import type { Dialect } from './dialect.ts'
import { PlainCallRequest } from './plain-request.ts'

/** OpenAI's Chat Completions and its sister endpoints. */
export function createOpenAiDialect(options: ChatDialectOptions): Dialect {
  const chat = createChatDialect(openAiChat, options)
  return {
    readRequest(mode, body, path) {
      if (mode === 'chat' || mode === 'count-tokens') return chat.readRequest(mode, body, path)
      const text = path.model === undefined ? body : withModel(body, path.model)
      if (!isJsonMode(mode)) throw new RelayError('api_not_implemented', 'API not implemented')
      const reading = readModeRequest(mode, text, { maxDepth: options.maxJsonDepth })
      if (reading.ok) return new PlainCallRequest(reading.request, path, options)
      const { message, param, code } = reading.error
      throw new RelayError('invalid_request', message, { param, upstreamCode: code })
    },
    errorBody: chat.errorBody,
    errorEvents: chat.errorEvents,
  }
}

/** `/v1/engines/{model}/embeddings`: the path names the model when the body does not. */
function withModel(body: string, model: string): string {
  try {
    const parsed: unknown = JSON.parse(body)
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed) || 'model' in parsed)
      return body
    return JSON.stringify({ model, ...parsed })
  } catch {
    return body
  }
}
