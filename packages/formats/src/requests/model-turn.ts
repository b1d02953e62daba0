import type { ChatRequest, FormatName } from '../canonical/request.ts'
import { type JsonObject, listOf, objectOf } from '../json/value.ts'
import { effortOf } from '../openai-chat/request/encode-request.ts'
import { effortIn } from '../openai-chat/request/inspect.ts'

/** What a call lets its model do, for upstreams with an API that cannot serve all of it. */
export interface ModelTurn {
  /** The call offers functions that the caller runs. */
  readonly offersFunctions: boolean
  /** In the words of OpenAI's formats; empty when the caller does not say how much to think. */
  readonly effort: string
}

/**
 * Reads the turn of a call. Chat Completions are read as they stand, because most of them pass as received.
 * @param canonical for every other format
 */
export function modelTurnOf(format: FormatName, body: JsonObject, canonical: () => ChatRequest): ModelTurn {
  if (format === 'openai-chat') {
    const offersFunctions = listOf(body.tools).some(isFunction) || listOf(body.functions).length > 0
    return { offersFunctions, effort: effortIn(body) }
  }
  const { tools, reasoning } = canonical()
  return { offersFunctions: tools.some(({ type }) => type === 'function'), effort: effortOf(reasoning) ?? '' }
}

function isFunction(tool: unknown): boolean {
  return objectOf(tool).type === 'function'
}
