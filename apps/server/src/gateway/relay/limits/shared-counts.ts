import { type Clock, getOrInsert } from '@tollgate/base'
import type { Logger } from '../../../lib/logger.ts'
import { countInView, msUntilRoom, type WindowCounts } from '../../../lib/window-counter.ts'
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
import { currentWindow, type Slice, type SliceRequest, type SliceStore } from './slice-store.ts'

/** Keys in memory; beyond it those that were quiet for longest go. */
const maxKeys = 100_000
/** Time for which a slice may lie unused: other nodes may need it. */
const syncMs = 250
/** Interval at which the store hears of slots in use: those of a node that is silent for long are free again. */
const slotRefreshMs = 5000
/** A slice beyond what calls need now is at most this part of the limit, over all nodes. */
const aheadShare = 8
/** Other calls may take what a call has asked for. */
const maxTries = 3

/** Slice of one shared count that a node holds. */
class HeldSlice {
  /** `undefined` for slots. */
  readonly windowMs: number | undefined
  limit = 0
  /** Granted and unused. */
  left = 0
  /** Slots of calls being served. */
  lent = 0
  /** Last response of the store, with its time. */
  slice: Slice = { granted: 0, window: currentWindow, current: 0, previous: 0, passedMs: 0 }
  seenAt = 0
  usedAt = 0
  /** Not told to the store yet, by window. */
  corrections = new Map<number, number>()
  /** Asked for by calls that wait. */
  need = 0

  constructor(windowMs: number | undefined) {
    this.windowMs = windowMs
  }

  /** The window that the slice belongs to is over. */
  isOver(now: number): boolean {
    return this.windowMs !== undefined && now - this.seenAt >= this.windowMs - this.slice.passedMs
  }

  /** More than half of the limit is used: what is free must not lie here. */
  get isScarce(): boolean {
    return this.slice.current + this.slice.previous > this.limit / 2
  }

  correct(window: number, amount: number): void {
    if (amount !== 0) this.corrections.set(window, (this.corrections.get(window) ?? 0) + amount)
  }

  /** Returns the unused part to the store; of slots the store hears how many are held. */
  giveBack(): void {
    if (this.windowMs !== undefined) this.correct(this.slice.window, -this.left)
    this.left = 0
  }

  counts(now: number): WindowCounts {
    const { current, previous, passedMs } = this.slice
    const windowMs = this.windowMs ?? slotWaitMs
    return { current, previous, passedMs: Math.min(windowMs, passedMs + now - this.seenAt), windowMs }
  }
}

export interface SharedCountsOptions {
  readonly store: SliceStore
  /** A monotonic one. */
  readonly clock: Clock
  /** Live nodes of the fleet. */
  readonly nodes: () => number
  readonly logger: Pick<Logger, 'error'>
}

/**
 * Counts that the nodes of a fleet share. A node serves calls from slices that the store grants; while a limit is far from used
 * up, a slice covers many calls, else each call asks. All calls of one exchange with the store share its round trip.
 */
export class SharedCounts implements LimitCounts {
  readonly #options: SharedCountsOptions
  /** The one that was quiet for longest first. */
  readonly #held = new Map<string, HeldSlice>()
  /** Keys with something to ask for, to give back or to correct. */
  readonly #dirty = new Map<string, HeldSlice>()
  /** Keys with something unused, or with slots in use. */
  readonly #outstanding = new Map<string, HeldSlice>()
  #exchanging: Promise<void> | undefined
  readonly #timer: ReturnType<typeof setInterval>

  constructor(options: SharedCountsOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#sync(), syncMs)
    this.#timer.unref()
  }

  take(demands: readonly Demand[]): Verdict | Promise<Verdict> {
    const now = this.#options.clock.now()
    return demands.every((demand) => this.#covers(demand, now))
      ? this.#granted(demands, now)
      : this.#takeFromStore(demands)
  }

  settle({ demands, windows }: Taken, outcome: Outcome): void {
    const now = this.#options.clock.now()
    demands.forEach((demand, index) => {
      const held = this.#heldOf(demand)
      if (demand.measure === 'concurrency') {
        held.lent -= demand.amount
        held.left += demand.amount
        this.#touch(demand, held)
        return
      }
      const unused = demand.amount - usedOf(demand, outcome)
      if (unused >= 0) this.#refund(demand, held, windows[index] ?? currentWindow, unused, now)
      else this.#spend(demand, held, -unused, now)
    })
  }

  /** Gives everything back. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const [key, held] of this.#outstanding) {
      held.giveBack()
      this.#dirty.set(key, held)
    }
    await this.#exchanging
    await this.#exchange()
  }

  async #takeFromStore(demands: readonly Demand[]): Promise<Verdict> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const before = this.#options.clock.now()
      await Promise.all(
        demands.flatMap((demand) => (this.#covers(demand, before) ? [] : [this.#ask(demand)])),
      )
      const now = this.#options.clock.now()
      const lacking = demands.find((demand) => !this.#covers(demand, now))
      if (lacking === undefined) return this.#granted(demands, now)
      if (this.#isFull(lacking, now)) return this.#refused(lacking, demands, now)
    }
    const now = this.#options.clock.now()
    const [first] = demands
    if (first === undefined) return this.#granted([], now)
    return this.#refused(demands.find((demand) => !this.#covers(demand, now)) ?? first, demands, now)
  }

  #granted(demands: readonly Demand[], now: number): Verdict {
    const windows = demands.map((demand) => {
      const held = this.#heldOf(demand)
      held.left -= demand.amount
      held.usedAt = now
      if (demand.measure === 'concurrency') held.lent += demand.amount
      return held.slice.window
    })
    return { granted: true, taken: { demands, windows }, limitStatuses: this.#statuses(demands, now) }
  }

  #refused(demand: Demand, demands: readonly Demand[], now: number): Verdict {
    const retryAfterSeconds = waitSeconds(this.#waitMs(demand, now))
    return { granted: false, demand, retryAfterSeconds, limitStatuses: this.#statuses(demands, now) }
  }

  #covers(demand: Demand, now: number): boolean {
    const held = this.#held.get(keyOf(demand))
    return (
      held !== undefined && held.limit === demand.limit && held.left >= demand.amount && !held.isOver(now)
    )
  }

  /** Decides whether the limit has no room for the demand beside what this node has left of it. */
  #isFull(demand: Demand, now: number): boolean {
    const held = this.#heldOf(demand)
    return countInView(held.counts(now)) - held.left + demand.amount > demand.limit
  }

  #waitMs(demand: Demand, now: number): number {
    const held = this.#heldOf(demand)
    if (held.windowMs === undefined) return slotWaitMs
    return msUntilRoom(held.counts(now), demand.limit - demand.amount + held.left)
  }

  #statuses(demands: readonly Demand[], now: number): LimitStatus[] {
    return demands.map(({ measure, limit, ...demand }) => {
      const held = this.#heldOf({ ...demand, measure, limit })
      const counts = held.counts(now)
      const remaining = Math.max(0, Math.min(limit, Math.floor(limit - countInView(counts) + held.left)))
      const resetMs = held.windowMs === undefined ? slotWaitMs : msUntilRoom(counts, 0)
      return { measure, limit, remaining, resetSeconds: remaining === limit ? 0 : Math.ceil(resetMs / 1000) }
    })
  }

  /** A call used less than it took. */
  #refund(demand: Demand, held: HeldSlice, window: number, unused: number, now: number): void {
    if (unused === 0) return
    if (window === held.slice.window && !held.isOver(now)) held.left += unused
    else held.correct(window, -unused)
    this.#touch(demand, held)
  }

  /** A call used what no slice was granted for. */
  #spend(demand: Demand, held: HeldSlice, amount: number, now: number): void {
    const fromSlice = held.isOver(now) ? 0 : Math.min(held.left, amount)
    held.left -= fromSlice
    held.correct(held.isOver(now) ? currentWindow : held.slice.window, amount - fromSlice)
    this.#touch(demand, held)
  }

  #touch(demand: Demand, held: HeldSlice): void {
    this.#dirty.set(keyOf(demand), held)
    this.#outstanding.set(keyOf(demand), held)
    if (held.isScarce) void this.#exchangeSoon()
  }

  #heldOf(demand: Demand): HeldSlice {
    const key = keyOf(demand)
    return getOrInsert(this.#held, key, () => {
      this.#forget()
      return new HeldSlice(demand.measure === 'concurrency' ? undefined : windowMsOf(demand))
    })
  }

  #forget(): void {
    for (const [key, held] of this.#held) {
      if (this.#held.size < maxKeys) return
      if (held.lent > 0 || held.need > 0) continue
      held.giveBack()
      this.#dirty.set(key, held)
      this.#held.delete(key)
    }
  }

  /** Resolves when the store has granted what it has room for. */
  #ask(demand: Demand): Promise<void> {
    const key = keyOf(demand)
    const held = this.#heldOf(demand)
    this.#held.delete(key)
    this.#held.set(key, held)
    held.limit = demand.limit
    held.need += demand.amount
    this.#dirty.set(key, held)
    // What is on its way does not have it.
    return this.#exchanging === undefined
      ? this.#exchangeSoon()
      : this.#exchanging.then(() => this.#exchangeSoon())
  }

  /** One exchange for everybody who asks in this turn of the event loop; one at a time. */
  #exchangeSoon(): Promise<void> {
    this.#exchanging ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#exchange())
      .finally(() => {
        this.#exchanging = undefined
      })
    return this.#exchanging
  }

  async #exchange(): Promise<void> {
    if (this.#dirty.size === 0) return
    const now = this.#options.clock.now()
    // In one order over all nodes: the store locks one key after the other.
    const requested = [...this.#dirty].sort(([a], [b]) => (a < b ? -1 : 1))
    this.#dirty.clear()
    const requests = requested.map(([key, held]) => this.#requestOf(key, held, now))
    try {
      const slices = await this.#options.store.exchange(requests)
      for (const [index, [key, held]] of requested.entries()) this.#receive(key, held, slices[index])
    } catch (error) {
      this.#options.logger.error(
        { err: error },
        'limits: neither Redis nor the database counts shared limits, so this node grants its own part: check both',
      )
    }
  }

  #requestOf(key: string, held: HeldSlice, now: number): SliceRequest {
    // A slice of a window that is over counts for what calls have used of it.
    if (held.isOver(now) || (held.isScarce && held.need === 0)) held.giveBack()
    const { limit, windowMs, corrections } = held
    const need = Math.max(0, held.need - held.left)
    const wish = need === 0 ? 0 : need + Math.ceil(limit / (aheadShare * Math.max(1, this.#options.nodes())))
    held.need = 0
    held.corrections = new Map()
    return {
      key,
      ...(windowMs !== undefined && { windowMs }),
      limit,
      need,
      wish,
      corrections: Array.from(corrections, ([window, amount]) => ({ window, amount })),
      ...(windowMs === undefined && { held: held.lent + held.left }),
    }
  }

  #receive(key: string, held: HeldSlice, slice: Slice | undefined): void {
    if (slice === undefined) return
    if (slice.granted > 0) this.#outstanding.set(key, held)
    // What was left of the window before cannot serve the new one.
    if (held.windowMs !== undefined && slice.window !== held.slice.window) held.giveBack()
    held.slice = slice
    held.seenAt = this.#options.clock.now()
    held.left += slice.granted
  }

  /** Gives back what lies unused, and keeps slots in use. */
  #sync(): void {
    const now = this.#options.clock.now()
    for (const [key, held] of this.#outstanding) {
      const isIdle = held.left > 0 && now - held.usedAt >= syncMs
      if (isIdle) held.giveBack()
      const mustRefresh = held.lent > 0 && now - held.seenAt >= slotRefreshMs
      if (isIdle || mustRefresh) this.#dirty.set(key, held)
      if (held.left === 0 && held.lent === 0) this.#outstanding.delete(key)
    }
    if (this.#dirty.size > 0) void this.#exchangeSoon()
  }
}
