import { entryOf } from '../lib/entry-of.ts'
import { Rest } from './rest.ts'
import { RollingWindow } from './rolling-window.ts'
import type { HealthView } from './routing-types.ts'

const keptLatencies = 30

const newModelHealth = () => new ModelHealth()
const newRest = () => new Rest()

/** What is known about one channel serving one model. */
export class ModelHealth {
  readonly window = new RollingWindow()
  readonly rest = new Rest()
  /** Keys that have been refused this model. */
  readonly keys = new Map<number, Rest>()

  idle(now: number): boolean {
    this.window.advance(now)
    if (this.window.successes + this.window.failures > 0 || !this.rest.idle(now)) return false
    for (const key of this.keys.values()) if (!key.idle(now)) return false
    return true
  }
}

/** What is known about one channel. Grows with its models and keys, never with callers. */
export class ChannelHealth {
  readonly models = new Map<string, ModelHealth>()
  readonly keys = new Map<number, Rest>()
  /** Attempts that began before this say nothing any more. */
  resetAt = 0
  readonly #latencies: number[] = []
  #nextLatency = 0

  model(name: string): ModelHealth {
    return entryOf(this.models, name, newModelHealth)
  }

  addLatency(ms: number): void {
    this.#latencies[this.#nextLatency] = ms
    this.#nextLatency = (this.#nextLatency + 1) % keptLatencies
  }

  /** Oldest first. */
  recentMs(): number[] {
    return [...this.#latencies.slice(this.#nextLatency), ...this.#latencies.slice(0, this.#nextLatency)]
  }

  reset(now: number): void {
    this.models.clear()
    this.keys.clear()
    this.resetAt = now
  }

  dropIdle(now: number): void {
    for (const [name, model] of this.models) if (model.idle(now)) this.models.delete(name)
    for (const [index, key] of this.keys) if (key.idle(now)) this.keys.delete(index)
  }
}

/** The rest entry of a key, made when missing. */
export function restOf(keys: Map<number, Rest>, index: number): Rest {
  return entryOf(keys, index, newRest)
}

const severity = { closed: 0, 'half-open': 1, open: 2 } as const satisfies Record<HealthView['state'], number>

interface Summary {
  state: HealthView['state']
  reason: string
  retryAt: number
}

/** The channel as an operator sees it: the worst of its models, and which keys rest. */
export function viewOf(health: ChannelHealth, now: number): HealthView {
  const summary: Summary = { state: 'closed', reason: '', retryAt: 0 }
  const restingKeys = new Map<number, { reason: string; retryAt: number }>()
  let successes = 0
  let failures = 0
  for (const [name, model] of health.models) {
    model.window.advance(now)
    successes += model.window.successes
    failures += model.window.failures
    worsen(summary, name, model.rest, now)
    for (const [index, rest] of model.keys) noteResting(restingKeys, index, rest, `${name}: `)
  }
  for (const [index, rest] of health.keys) noteResting(restingKeys, index, rest, '')
  const attempts = successes + failures
  return {
    ...summary,
    errorRate: attempts === 0 ? 0 : failures / attempts,
    recentMs: health.recentMs(),
    restingKeys,
  }
}

function worsen(summary: Summary, model: string, rest: Rest, now: number): void {
  const state = rest.state(now)
  if (severity[state] <= severity[summary.state]) return
  summary.state = state
  summary.reason = `${model}: ${rest.reason}`
  summary.retryAt = Math.round(rest.until)
}

function noteResting(
  resting: Map<number, { reason: string; retryAt: number }>,
  index: number,
  rest: Rest,
  prefix: string,
): void {
  const known = resting.get(index)
  if (rest.until === 0 || (known !== undefined && known.retryAt >= rest.until)) return
  resting.set(index, { reason: prefix + rest.reason, retryAt: Math.round(rest.until) })
}

export const healthyView: HealthView = {
  state: 'closed',
  errorRate: 0,
  reason: '',
  retryAt: 0,
  recentMs: [],
  restingKeys: new Map(),
}
