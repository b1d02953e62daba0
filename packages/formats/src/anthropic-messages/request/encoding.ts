import { type EncodeTarget, RequestFault } from '../../canonical/codec.ts'
import type { CacheMark, ToolCallPart, ToolResultPart } from '../../canonical/request.ts'
import { type ClaudeTraits, claudeTraits } from './claude-model.ts'

/** State of a request that is being encoded: what is known and learned of it. */
export interface Encoding {
  readonly traits: ClaudeTraits
  readonly hosted: boolean
  /** Names of what was left out and does not change the response. */
  readonly dropped: Set<string>
  readonly callIds: CallIds
}

/** Starts an encoding with what is known of a request before it. */
export function startEncoding({ model, hosted = false }: EncodeTarget): Encoding {
  return { traits: claudeTraits(model), hosted, dropped: new Set(), callIds: new CallIds() }
}

/** This format pairs calls and results by an id; callers of formats without ids get made-up ones, paired by name and order. */
export class CallIds {
  #made = 0
  readonly #waiting: { readonly id: string; readonly name: string }[] = []

  ofCall({ id, name }: ToolCallPart): string {
    if (id !== '') return id
    const made = `toolu_${++this.#made}`
    this.#waiting.push({ id: made, name })
    return made
  }

  /** @param param path of the result in the request */
  ofResult({ callId, name }: ToolResultPart, param: string): string {
    if (callId !== '') return callId
    const named = this.#waiting.findIndex((call) => call.name === name)
    const [call] = this.#waiting.splice(Math.max(named, 0), 1)
    if (call !== undefined) return call.id
    throw new RequestFault(
      `${param} is invalid: no tool call before it waits for a result`,
      param,
      'invalid_value',
    )
  }
}

/** The `cache_control` member of a block or tool; none without a mark. */
export function cacheControl(cache: CacheMark | undefined): Record<string, unknown> {
  if (cache === undefined) return {}
  // Five minutes is what an upstream that does not know `ttl` yet gives, too.
  return { cache_control: cache.ttl === '1h' ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' } }
}
