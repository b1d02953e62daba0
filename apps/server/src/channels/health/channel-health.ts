import { getOrInsert } from '@tollgate/base'
import { Cooldown } from './cooldown.ts'
import { LatencyHistory } from './latency-history.ts'
import { RollingWindow } from './rolling-window.ts'

/** What a cooldown covers: a model of the channel, one of its keys, or a key for one model. */
export type CooldownTarget =
  | { readonly model: string; readonly keyIndex?: undefined }
  | { readonly model?: undefined; readonly keyIndex: number }
  | { readonly model: string; readonly keyIndex: number }

interface TargetCooldown {
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
  cooldownsOf(keyIndex: number, model: string): readonly Cooldown[] {
    const targets: readonly CooldownTarget[] = [{ model }, { keyIndex }, { keyIndex, model }]
    return targets.flatMap((target) => this.find(target) ?? [])
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
