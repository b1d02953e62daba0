import type { Clock } from '@tollgate/base'
import { countInView, msUntilRoom, WindowCounter } from '../../../lib/window-counter.ts'
import {
  type Demand,
  keyOf,
  type LimitCounts,
  type LimitStatus,
  type Outcome,
  slotWaitMs,
  type Taken,
  usedOf,
  type Verdict,
  waitSeconds,
  windowMsOf,
} from './limit-counts.ts'

/** Counters kept; beyond it those that were quiet for longest are forgotten. */
const maxCounters = 100_000

/** Counts of one process. @param clock a monotonic one */
export function createMemoryCounts(clock: Clock, max = maxCounters): LimitCounts {
  return new MemoryCounts(clock, max)
}

class MemoryCounts implements LimitCounts {
  readonly #clock: Clock
  readonly #max: number
  /** Windows by subject and measure, the one without a call for longest first. */
  readonly #windows = new Map<string, WindowCounter>()
  /** Calls being served; only of subjects that have some. */
  readonly #serving = new Map<string, number>()

  constructor(clock: Clock, max: number) {
    this.#clock = clock
    this.#max = max
  }

  take(demands: readonly Demand[]): Verdict {
    const now = this.#clock.now()
    for (const demand of demands) {
      const waitMs = this.#waitMs(demand, now)
      if (waitMs > 0) return this.#refused(demand, waitMs, demands, now)
    }
    const windows = demands.map((demand) => this.#add(demand, now))
    const limitStatuses = demands.map((demand) => this.#limitStatus(demand, now))
    return { granted: true, taken: { demands, windows }, limitStatuses }
  }

  settle({ demands, windows }: Taken, outcome: Outcome): void {
    const now = this.#clock.now()
    demands.forEach((demand, index) => {
      if (demand.measure === 'concurrency') this.#leave(demand)
      else this.#correct(demand, windows[index] ?? 0, usedOf(demand, outcome), now)
    })
  }

  #refused(demand: Demand, waitMs: number, demands: readonly Demand[], now: number): Verdict {
    const limitStatuses = demands.map((each) => this.#limitStatus(each, now))
    return { granted: false, demand, retryAfterSeconds: waitSeconds(waitMs), limitStatuses }
  }

  /** Milliseconds until the demand can be met. */
  #waitMs(demand: Demand, now: number): number {
    const { measure, limit, amount } = demand
    if (measure === 'concurrency') return this.#servingOf(demand) + amount > limit ? slotWaitMs : 0
    const counter = this.#windows.get(keyOf(demand))
    return counter === undefined ? 0 : msUntilRoom(counter.counts(now), limit - amount)
  }

  /** Returns the number of the window that it was counted in. */
  #add(demand: Demand, now: number): number {
    const key = keyOf(demand)
    if (demand.measure === 'concurrency') {
      this.#serving.set(key, this.#servingOf(demand) + demand.amount)
      return 0
    }
    const counter = this.#windows.get(key) ?? new WindowCounter(windowMsOf(demand))
    const number = counter.add(demand.amount, now)
    this.#windows.delete(key)
    this.#windows.set(key, counter)
    this.#forget(now)
    return number
  }

  /** A few at a time: those in front that are idle, and one more when there are too many. */
  #forget(now: number): void {
    for (const [key, counter] of this.#windows) {
      if (this.#windows.size <= this.#max && !counter.isIdle(now)) return
      this.#windows.delete(key)
    }
  }

  #leave(demand: Demand): void {
    const left = this.#servingOf(demand) - demand.amount
    if (left > 0) this.#serving.set(keyOf(demand), left)
    else this.#serving.delete(keyOf(demand))
  }

  #correct(demand: Demand, number: number, used: number, now: number): void {
    const counter = this.#windows.get(keyOf(demand))
    if (used < demand.amount) counter?.takeBack(demand.amount - used, number, now)
    else if (used > demand.amount) this.#add({ ...demand, amount: used - demand.amount }, now)
  }

  #limitStatus(demand: Demand, now: number): LimitStatus {
    const { measure, limit } = demand
    if (measure === 'concurrency') {
      const remaining = Math.max(0, limit - this.#servingOf(demand))
      return { measure, limit, remaining, resetSeconds: remaining === limit ? 0 : slotWaitMs / 1000 }
    }
    const counts = this.#windows.get(keyOf(demand))?.counts(now)
    if (counts === undefined) return { measure, limit, remaining: limit, resetSeconds: 0 }
    const remaining = Math.max(0, Math.floor(limit - countInView(counts)))
    return { measure, limit, remaining, resetSeconds: Math.ceil(msUntilRoom(counts, 0) / 1000) }
  }

  #servingOf(demand: Demand): number {
    return this.#serving.get(keyOf(demand)) ?? 0
  }
}
