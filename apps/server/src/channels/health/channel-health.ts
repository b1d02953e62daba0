import { getOrInsert } from '@tollgate/base'
import { Cooldown } from './cooldown.ts'
import type { CooldownTarget } from './health-hint.ts'

/** A cooldown and what it covers. */
export interface TargetCooldown {
  readonly target: CooldownTarget
  readonly cooldown: Cooldown
}

const newWindow = () => new RollingWindow()

/** The health of one channel. Grows with its models and keys, never with callers. */
export class ChannelHealth {
  readonly latency = new LatencyHistory()
  /** Attempts that started before this no longer count. */
  resetAt = Number.NEGATIVE_INFINITY
  /** The last minute of each model. */
  readonly #windows = new Map<string, RollingWindow>()
  readonly #cooldowns = new Map<string, TargetCooldown>()

  get windows(): Iterable<RollingWindow> {
    return this.#windows.values()
  }

  get cooldowns(): Iterable<TargetCooldown> {
    return this.#cooldowns.values()
  }

  /** False for nearly every channel at nearly every time, so that calls check nothing else. */
  get hasCooldowns(): boolean {
    return this.#cooldowns.size > 0
  }

  window(model: string): RollingWindow {
    return getOrInsert(this.#windows, model, newWindow)
  }

  find(target: CooldownTarget): Cooldown | undefined {
    return this.#cooldowns.get(nameOf(target))?.cooldown
  }

  cooldown(target: CooldownTarget): Cooldown {
    return getOrInsert(this.#cooldowns, nameOf(target), () => ({ target, cooldown: new Cooldown() })).cooldown
  }

  /** The cooldowns that decide whether a key may serve a model. */
  cooldownsOf(keyIndex: number, model: string): readonly TargetCooldown[] {
    const targets: readonly CooldownTarget[] = [{ model }, { keyIndex }, { keyIndex, model }]
    return targets.flatMap((target) => this.#cooldowns.get(nameOf(target)) ?? [])
  }

  /** Decides whether calls of the last seconds succeeded: of one model, or of any. */
  succeedsNow(model: string | undefined, now: number): boolean {
    const windows = model === undefined ? [...this.#windows.values()] : [this.#windows.get(model)]
    return windows.some((window) => window?.mostlySucceeds(now) === true)
  }

  /** Milliseconds until one of the keys may serve the model; 0 when it may now. */
  cooldownMs(model: string, keyCount: number, now: number): number {
    const remainingMs = (target: CooldownTarget) => this.find(target)?.remainingMs(now) ?? 0
    let soonestMs = Number.POSITIVE_INFINITY
    for (let keyIndex = 0; keyIndex < keyCount; keyIndex += 1) {
      soonestMs = Math.min(soonestMs, Math.max(remainingMs({ keyIndex }), remainingMs({ keyIndex, model })))
      if (soonestMs === 0) break
    }
    return Math.max(remainingMs({ model }), Number.isFinite(soonestMs) ? soonestMs : 0)
  }

  reset(now: number): void {
    this.#windows.clear()
    this.#cooldowns.clear()
    this.resetAt = now
  }

  /** Drops windows and cooldowns that no longer matter. */
  dropIdle(now: number): void {
    for (const [name, { cooldown }] of this.#cooldowns) if (cooldown.isIdle(now)) this.#cooldowns.delete(name)
    for (const [model, window] of this.#windows)
      if (window.counts(now).attempts === 0) this.#windows.delete(model)
  }
}

function nameOf({ keyIndex, model }: CooldownTarget): string {
  return `${keyIndex ?? ''}/${model ?? ''}`
}

const buckets = 6
const bucketMs = 10_000
const severalCalls = 5

/**
 * Successes and failures of the last minute, in a ring of buckets of ten seconds. Fixed size: adding and reading allocate
 * nothing. Times are of the monotonic clock, in ms.
 */
class RollingWindow {
  #successes = 0
  #failures = 0
  /** Number of the current bucket: time divided by its length. */
  #current = 0
  /** Successes of each bucket, by its number modulo `buckets`. */
  readonly #successesOf = new Array<number>(buckets).fill(0)
  readonly #failuresOf = new Array<number>(buckets).fill(0)

  add(now: number, failed: boolean): void {
    this.#advance(now)
    const slot = this.#current % buckets
    if (failed) {
      this.#failures += 1
      this.#failuresOf[slot] = (this.#failuresOf[slot] ?? 0) + 1
    } else {
      this.#successes += 1
      this.#successesOf[slot] = (this.#successesOf[slot] ?? 0) + 1
    }
  }

  counts(now: number): { readonly attempts: number; readonly failures: number } {
    this.#advance(now)
    return { attempts: this.#successes + this.#failures, failures: this.#failures }
  }

  /** Decides whether several calls of the last 10 to 20 seconds succeeded, and more than failed. */
  mostlySucceeds(now: number): boolean {
    this.#advance(now)
    const slots = [this.#current, this.#current - 1].map((bucket) => (bucket + buckets) % buckets)
    const sum = (counts: readonly number[]) => slots.reduce((total, slot) => total + (counts[slot] ?? 0), 0)
    const successes = sum(this.#successesOf)
    return successes >= severalCalls && successes > sum(this.#failuresOf)
  }

  clear(): void {
    this.#successes = 0
    this.#failures = 0
    this.#successesOf.fill(0)
    this.#failuresOf.fill(0)
  }

  /** Drops what is older than the window. */
  #advance(now: number): void {
    const bucket = Math.floor(now / bucketMs)
    const passed = Math.min(bucket - this.#current, buckets)
    for (let step = 1; step <= passed; step += 1) this.#drop((this.#current + step) % buckets)
    this.#current = bucket
  }

  #drop(slot: number): void {
    this.#successes -= this.#successesOf[slot] ?? 0
    this.#failures -= this.#failuresOf[slot] ?? 0
    this.#successesOf[slot] = 0
    this.#failuresOf[slot] = 0
  }
}

const minuteMs = 60_000
const maxMinutes = 60

/** Mean time of a channel's attempts for each minute of the last hour. Times are of the monotonic clock, in ms. */
class LatencyHistory {
  /** Number of the current minute: time divided by its length. */
  #minute = 0
  #sumMs = 0
  #calls = 0
  /** Earlier minutes in which there were calls, oldest first. */
  #means: { readonly minute: number; readonly ms: number }[] = []

  add(now: number, ms: number): void {
    this.#advance(now)
    this.#sumMs += ms
    this.#calls += 1
  }

  /** Whole milliseconds, oldest first. Minutes without a call are left out. */
  means(now: number): number[] {
    this.#advance(now)
    const means = this.#means.map(({ ms }) => ms)
    return this.#calls === 0 ? means : [...means, this.#mean()]
  }

  #advance(now: number): void {
    const minute = Math.floor(now / minuteMs)
    if (minute === this.#minute) return
    if (this.#calls > 0) this.#means.push({ minute: this.#minute, ms: this.#mean() })
    this.#means = this.#means.filter((mean) => mean.minute > minute - maxMinutes)
    this.#minute = minute
    this.#sumMs = 0
    this.#calls = 0
  }

  #mean(): number {
    return Math.round(this.#sumMs / this.#calls)
  }
}
