import type { Clock } from '@tollgate/base'
import type { Demand, LimitCounts, LimitStatus, Outcome, Taken, Verdict } from './limit-counts.ts'
import { MinuteCounter, minuteOf } from './minute-counter.ts'

/** Counters kept; beyond it those that were quiet for longest are forgotten. */
const maximumCounters = 100_000

/** Counts of one process. @param clock a monotonic one */
export function createMemoryCounts(clock: Clock, maximum = maximumCounters): LimitCounts {
  return new MemoryCounts(clock, maximum)
}

class MemoryCounts implements LimitCounts {
  readonly #clock: Clock
  readonly #maximum: number
  /** By subject and measure, the one that was quiet for longest first. */
  readonly #minutes = new Map<string, MinuteCounter>()
  /** Calls being served; only of subjects that have some. */
  readonly #serving = new Map<string, number>()

  constructor(clock: Clock, maximum: number) {
    this.#clock = clock
    this.#maximum = maximum
  }

  take(demands: readonly Demand[]): Verdict {
    const now = this.#clock.now()
    for (const demand of demands) {
      const waitMs = this.#waitMs(demand, now)
      if (waitMs > 0) return this.#refused(demand, waitMs, demands, now)
    }
    for (const demand of demands) this.#add(demand, now)
    const limitStatuses = demands.map((demand) => this.#limitStatus(demand, now))
    return { granted: true, taken: { demands, minute: minuteOf(now) }, limitStatuses }
  }

  settle({ demands, minute }: Taken, outcome: Outcome): void {
    const now = this.#clock.now()
    for (const demand of demands) {
      if (demand.measure === 'concurrency') this.#leave(demand)
      else this.#correct(demand, minute, outcome, now)
    }
  }

  #refused(demand: Demand, waitMs: number, demands: readonly Demand[], now: number): Verdict {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
    const limitStatuses = demands.map((each) => this.#limitStatus(each, now))
    return { granted: false, demand, retryAfterSeconds, limitStatuses }
  }

  /** Milliseconds until the demand can be met; nobody knows when a slot will be free. */
  #waitMs(demand: Demand, now: number): number {
    const { measure, limit, amount } = demand
    if (measure === 'concurrency') return this.#servingOf(demand) + amount > limit ? slotWaitMs : 0
    return this.#minutes.get(keyOf(demand))?.msUntil(limit - amount, now) ?? 0
  }

  #add(demand: Demand, now: number): void {
    const key = keyOf(demand)
    if (demand.measure === 'concurrency') {
      this.#serving.set(key, this.#servingOf(demand) + demand.amount)
      return
    }
    const counter = this.#minutes.get(key) ?? new MinuteCounter()
    counter.add(demand.amount, now)
    this.#minutes.delete(key)
    this.#minutes.set(key, counter)
    this.#forget(now)
  }

  /** A few at a time: those in front that are idle, and one more when there are too many. */
  #forget(now: number): void {
    for (const [key, counter] of this.#minutes) {
      if (this.#minutes.size <= this.#maximum && !counter.isIdle(now)) return
      this.#minutes.delete(key)
    }
  }

  #leave(demand: Demand): void {
    const left = this.#servingOf(demand) - demand.amount
    if (left > 0) this.#serving.set(keyOf(demand), left)
    else this.#serving.delete(keyOf(demand))
  }

  #correct(demand: Demand, minute: number, { tokens, refused }: Outcome, now: number): void {
    const counter = this.#minutes.get(keyOf(demand))
    const used = refused ? 0 : demand.measure === 'tokens' ? tokens : demand.amount
    if (used < demand.amount) counter?.takeBack(demand.amount - used, minute, now)
    else if (used > demand.amount) this.#add({ ...demand, amount: used - demand.amount }, now)
  }

  #limitStatus(demand: Demand, now: number): LimitStatus {
    const { measure, limit } = demand
    if (measure === 'concurrency') {
      const remaining = Math.max(0, limit - this.#servingOf(demand))
      return { measure, limit, remaining, resetSeconds: remaining === limit ? 0 : slotWaitMs / 1000 }
    }
    const counter = this.#minutes.get(keyOf(demand))
    const used = counter?.inView(now) ?? 0
    const remaining = Math.max(0, Math.floor(limit - used))
    return { measure, limit, remaining, resetSeconds: Math.ceil((counter?.msUntil(0, now) ?? 0) / 1000) }
  }

  #servingOf(demand: Demand): number {
    return this.#serving.get(keyOf(demand)) ?? 0
  }
}

const slotWaitMs = 1000

function keyOf({ subject, measure }: Demand): string {
  return `${subject} ${measure}`
}
