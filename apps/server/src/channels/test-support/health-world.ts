import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import { createDecisionLog } from '../health/decision-log.ts'
import { createHealthRegistry } from '../health/health-registry.ts'

export const second = 1000
export const minute = 60 * second

export function errorOf(kind: UpstreamErrorKind, more: Partial<UpstreamErrorInfo> = {}): UpstreamErrorInfo {
  return { kind, status: 500, message: '', type: '', code: '', param: null, ...more }
}

/** A health registry over clocks that stand still until a test moves them, with one channel (id 1). */
export function healthWorld(keyCount = 1) {
  /** `now` is the monotonic clock's time; the wall clock is ahead of it by `wallOffset`. */
  const time = { now: 5_000, wallOffset: 1_000_000_000_000 }
  const monotonic = { now: () => time.now }
  const wallClock = { now: () => time.now + time.wallOffset }
  const decisions = createDecisionLog({ wallClock, logger: { info: () => undefined } })
  const registry = createHealthRegistry({
    monotonic,
    wallClock,
    random: () => 0,
    decisions,
    keyCount: () => keyCount,
  })
  const fail = (kind: UpstreamErrorKind, more: Partial<UpstreamErrorInfo> = {}, model = 'm', keyIndex = 0) =>
    registry.record({ channelId: 1, keyIndex, model, ms: 0, error: errorOf(kind, more) })
  const succeed = (model = 'm', keyIndex = 0, ms = 0) =>
    registry.record({ channelId: 1, keyIndex, model, ms })
  return {
    time,
    registry,
    decisions,
    fail,
    succeed,
    admits: (model = 'm', key = 0) => registry.admits(1, key, model),
  }
}

export function times(count: number, act: () => void): void {
  for (let index = 0; index < count; index += 1) act()
}
