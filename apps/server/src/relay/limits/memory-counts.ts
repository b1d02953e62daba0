import type { Clock } from '@tollgate/base'

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

  /** Milliseconds until the demand can be met; a guess for a slot, whose end is not known. */
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

/** What is counted: requests and tokens of a minute, or calls that are being served. */
export type Measure = 'requests' | 'tokens' | 'concurrency'

/** What a call asks of one limit. */
export interface Demand {
  /** Who or what is limited: `token 7`, `model gpt-4o`. */
  readonly subject: string
  readonly measure: Measure
  readonly limit: number
  /** How much of it the call takes; never more than `limit`, or it would never pass. */
  readonly amount: number
}

/** How far a limit is used, for the caller's programs to pace themselves. */
export interface LimitStatus {
  readonly measure: Measure
  readonly limit: number
  readonly remaining: number
  /** Seconds until the limit is unused again, without further calls. */
  readonly resetSeconds: number
}

/** What was taken, to be settled once. */
export interface Taken {
  readonly demands: readonly Demand[]
  /** Number of the minute it was counted in. */
  readonly minute: number
}

export type Verdict =
  | { readonly granted: true; readonly taken: Taken; readonly limitStatuses: readonly LimitStatus[] }
  | {
      readonly granted: false
      /** The one that refuses. */
      readonly demand: Demand
      readonly retryAfterSeconds: number
      readonly limitStatuses: readonly LimitStatus[]
    }

/** What became of what was taken. */
interface Outcome {
  /** Tokens that the call used; 0 for one that was not charged. */
  readonly tokens: number
  /** It was refused elsewhere: nothing of it counts. */
  readonly refused: boolean
}

/** Counts of what limits bound. Nodes that share a store share the counts: one round trip to take, one to settle. */
export interface LimitCounts {
  /** Takes all of them or, when one is used up, none. */
  take(demands: readonly Demand[]): Verdict | Promise<Verdict>
  /** The call is over: its slots are free again, and its tokens are what it used. */
  settle(taken: Taken, outcome: Outcome): void
}

const minuteMs = 60_000

/**
 * A sliding minute in two numbers, however high its limit is: the count of the last whole minute weighs as much as is
 * still in view of it.
 */
class MinuteCounter {
  #minute = 0
  #current = 0
  #previous = 0

  /** What is in view, in the same unit as was added. */
  inView(now: number): number {
    this.#turn(now)
    return this.#current + this.#previous * (1 - (now % minuteMs) / minuteMs)
  }

  add(amount: number, now: number): void {
    this.#turn(now)
    this.#current += amount
  }

  /** Takes back what was added in that minute; what is out of view needs no taking back. */
  takeBack(amount: number, minute: number, now: number): void {
    this.#turn(now)
    if (minute === this.#minute) this.#current = Math.max(0, this.#current - amount)
    else if (minute === this.#minute - 1) this.#previous = Math.max(0, this.#previous - amount)
  }

  /** Nothing of it is in view. */
  isIdle(now: number): boolean {
    this.#turn(now)
    return this.#current === 0 && this.#previous === 0
  }

  /** Milliseconds until no more than `room` is in view. */
  msUntil(room: number, now: number): number {
    this.#turn(now)
    const passed = now % minuteMs
    const untilNext = minuteMs - passed
    if (this.inView(now) <= room) return 0
    // In this minute the last one slides out of view; in the next one this one does.
    if (this.#current <= room) return minuteMs * (1 - (room - this.#current) / this.#previous) - passed
    return untilNext + minuteMs * (1 - room / this.#current)
  }

  #turn(now: number): void {
    const minute = minuteOf(now)
    if (minute === this.#minute) return
    this.#previous = minute === this.#minute + 1 ? this.#current : 0
    this.#current = 0
    this.#minute = minute
  }
}

/** @param now milliseconds of a monotonic clock */
function minuteOf(now: number): number {
  return Math.floor(now / minuteMs)
}
