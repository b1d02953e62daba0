import { type Clock, monotonicClock } from '@tollgate/base'
import { createSlidingWindow, type SlidingWindow } from '../../lib/sliding-window.ts'
import { createSecretDefence } from './secret-defence.ts'

export interface RateLimitConfig {
  readonly GLOBAL_API_RATE_LIMIT_ENABLE: boolean
  readonly GLOBAL_API_RATE_LIMIT: number
  readonly GLOBAL_API_RATE_LIMIT_DURATION: number
  readonly CRITICAL_RATE_LIMIT: number
  readonly CRITICAL_RATE_LIMIT_DURATION: number
}

export interface RateLimits {
  /** Every console call, per person or else per address; `undefined` when switched off. */
  readonly global: SlidingWindow | undefined
  /** Calls that test a secret, one count for all of them; by address. */
  readonly critical: SlidingWindow
}

/** @param clock monotonic: a change of the wall clock must neither open a window nor lengthen a wait */
export function createRateLimits(config: RateLimitConfig, clock: Clock = monotonicClock): RateLimits {
  const { GLOBAL_API_RATE_LIMIT: limit, GLOBAL_API_RATE_LIMIT_DURATION: windowSeconds } = config
  return {
    global: config.GLOBAL_API_RATE_LIMIT_ENABLE
      ? createSlidingWindow({ limit, windowSeconds, clock })
      : undefined,
    critical: createSecretDefence({
      limit: config.CRITICAL_RATE_LIMIT,
      windowSeconds: config.CRITICAL_RATE_LIMIT_DURATION,
      clock,
    }),
  }
}
