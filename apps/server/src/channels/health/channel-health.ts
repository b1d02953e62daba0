import { getOrInsert } from '@tollgate/base'
import type { HealthView } from '../routing/routing-types.ts'
import { Rest } from './cooldown.ts'
import { LatencyHistory } from './latency-history.ts'
import { RollingWindow } from './rolling-window.ts'

const newRest = () => new Rest()

/**
 * What is known about one channel serving one model: its last minute, and who rests. Of thousands of channels none is
 * near the processor when a call asks for it: while all is well this is one object.
 */
export class ModelHealth extends RollingWindow {
  readonly name: string
  /** Absent while the model never had to rest. */
  rest: Rest | undefined
  /** Keys that have been refused this model; absent while none has. */
  keys: Map<number, Rest> | undefined

  constructor(name: string) {
    super()
    this.name = name
  }

  restOf(): Rest {
    this.rest ??= new Rest()
    return this.rest
  }

  restOfKey(index: number): Rest {
    this.keys ??= new Map()
    return getOrInsert(this.keys, index, newRest)
  }

  /** Whether anything of it rests or may remember that it did. */
  get hasRests(): boolean {
    return this.rest !== undefined || this.keys !== undefined
  }

  dropIdleRests(now: number): void {
    if (this.rest?.idle(now) === true) this.rest = undefined
    this.keys = withoutIdle(this.keys, now)
  }

  idle(now: number): boolean {
    this.advance(now)
    return this.successes + this.failures === 0 && !this.hasRests
  }
}

/** Absent when none is left. */
function withoutIdle(rests: Map<number, Rest> | undefined, now: number): Map<number, Rest> | undefined {
  const kept = new Map([...(rests ?? [])].filter(([, rest]) => !rest.idle(now)))
  return kept.size === 0 ? undefined : kept
}

/** What is known about one channel. Grows with its models and keys, never with callers. */
export class ChannelHealth extends LatencyHistory {
  /** Asked for last: most channels are asked for one model over and over. */
  #last: ModelHealth | undefined
  /** Attempts that began before this say nothing any more. */
  resetAt = 0
  /** Keys that had to rest; absent while none had. */
  keys: Map<number, Rest> | undefined
  readonly #models = new Map<string, ModelHealth>()

  get models(): Iterable<ModelHealth> {
    return this.#models.values()
  }

  find(name: string): ModelHealth | undefined {
    if (this.#last?.name !== name) this.#last = this.#models.get(name)
    return this.#last
  }

  model(name: string): ModelHealth {
    return this.find(name) ?? this.#add(name)
  }

  #add(name: string): ModelHealth {
    this.#last = new ModelHealth(name)
    this.#models.set(name, this.#last)
    return this.#last
  }

  restOfKey(index: number): Rest {
    this.keys ??= new Map()
    return getOrInsert(this.keys, index, newRest)
  }

  reset(now: number): void {
    this.#last = undefined
    this.#models.clear()
    this.keys = undefined
    this.resetAt = now
  }

  /** Whether anything of it rests or may remember that it did. */
  get hasRests(): boolean {
    if (this.keys !== undefined) return true
    for (const model of this.#models.values()) if (model.hasRests) return true
    return false
  }

  dropIdle(now: number): void {
    this.#last = undefined
    for (const [name, model] of this.#models) {
      model.dropIdleRests(now)
      if (model.idle(now)) this.#models.delete(name)
    }
    this.keys = withoutIdle(this.keys, now)
  }
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
  for (const model of health.models) {
    model.advance(now)
    successes += model.successes
    failures += model.failures
    if (model.rest !== undefined) worsen(summary, model.name, model.rest, now)
    for (const [index, rest] of model.keys ?? []) noteResting(restingKeys, index, rest, `${model.name}: `)
  }
  for (const [index, rest] of health.keys ?? []) noteResting(restingKeys, index, rest, '')
  const attempts = successes + failures
  return {
    ...summary,
    errorRate: attempts === 0 ? 0 : failures / attempts,
    recentMs: health.recentMs(now),
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
