import { type Clock, monotonicClock } from '@tollgate/base'
import { subscriberOf } from '../../lib/outbound/addresses.ts'
import { combineWindows, createSlidingWindow, type SlidingWindow } from '../../lib/sliding-window.ts'
import type { LimitSubject } from '../client-address.ts'
import { createBruteForceLimit } from './brute-force-limit.ts'

export interface RateLimitConfig {
  readonly GLOBAL_API_RATE_LIMIT_ENABLE: boolean
  readonly GLOBAL_API_RATE_LIMIT: number
  readonly GLOBAL_API_RATE_LIMIT_DURATION: number
  readonly CRITICAL_RATE_LIMIT: number
  readonly CRITICAL_RATE_LIMIT_DURATION: number
}

export interface RateLimits {
  /** Console calls of people, by their id; `undefined` when switched off. */
  readonly byUser: SlidingWindow<number> | undefined
  /** Console calls of strangers; `undefined` when switched off. */
  readonly byAddress: SlidingWindow<LimitSubject> | undefined
  /** Calls that test a secret, one count for all of them. */
  readonly critical: SlidingWindow<LimitSubject>
}

/** How many times the limit of one address a proxy gets that is not trusted: it may stand for everybody. */
const proxyFactor = 50

/** @param clock monotonic: a change of the wall clock must neither open a window nor lengthen a wait */
export function createRateLimits(config: RateLimitConfig, clock: Clock = monotonicClock): RateLimits {
  const { GLOBAL_API_RATE_LIMIT: limit, GLOBAL_API_RATE_LIMIT_DURATION: windowSeconds } = config
  const all = { limit, windowSeconds, clock }
  const secrets = {
    limit: config.CRITICAL_RATE_LIMIT,
    windowSeconds: config.CRITICAL_RATE_LIMIT_DURATION,
    clock,
  }
  const byUser = createSlidingWindow(all)
  const isOn = config.GLOBAL_API_RATE_LIMIT_ENABLE
  return {
    byUser: isOn ? combineWindows((id) => [{ key: String(id), window: byUser }]) : undefined,
    byAddress: isOn ? bySubject(bySubscriber(createSlidingWindow(all)), all) : undefined,
    critical: bySubject(createBruteForceLimit(secrets), secrets),
  }
}

function bySubscriber(window: SlidingWindow): SlidingWindow {
  return combineWindows((address) => [{ key: subscriberOf(address), window }])
}

/**
 * Counts an address by its own limit. One that is known by the word of an untrusted proxy alone counts for the proxy, too: the
 * word may be false, and must not make room without end.
 */
function bySubject(
  own: SlidingWindow,
  options: Parameters<typeof createSlidingWindow>[0],
): SlidingWindow<LimitSubject> {
  const proxies = createSlidingWindow({ ...options, limit: options.limit * proxyFactor, whenFull: 'share' })
  return combineWindows(({ address, proxy }) => [
    ...(address === undefined ? [] : [{ key: address, window: own }]),
    ...(proxy === undefined ? [] : [{ key: proxy, window: proxies }]),
  ])
}
