import { type Clock, monotonicClock } from '@tollgate/base'
import { networksOf, subscriberOf } from '../../../lib/outbound/addresses.ts'
import {
  combineWindows,
  createSlidingWindow,
  type SlidingWindow,
  type WindowShare,
} from '../../../lib/sliding-window.ts'
import type { LimitSubject } from '../../client-address.ts'

export interface RateLimitConfig {
  readonly GLOBAL_API_RATE_LIMIT_ENABLE: boolean
  readonly GLOBAL_API_RATE_LIMIT: number
  readonly GLOBAL_API_RATE_LIMIT_DURATION: number
  readonly CRITICAL_RATE_LIMIT: number
  readonly CRITICAL_RATE_LIMIT_DURATION: number
}

/** An untrusted proxy gets this many times the limit of one address, because all clients may come through it. */
export const proxyFactor = 50

/**
 * @param clock monotonic: a change of the wall clock must neither open a window nor lengthen a wait
 * @param amongOf the other processes of this machine, which count the window of that name too
 */
export function createRateLimits(
  config: RateLimitConfig,
  clock: Clock = monotonicClock,
  amongOf: (name: string) => WindowShare | undefined = () => undefined,
) {
  const { GLOBAL_API_RATE_LIMIT: limit, GLOBAL_API_RATE_LIMIT_DURATION: windowSeconds } = config
  const all = { limit, windowSeconds, clock }
  const secrets = {
    limit: config.CRITICAL_RATE_LIMIT,
    windowSeconds: config.CRITICAL_RATE_LIMIT_DURATION,
    clock,
  }
  const byUser = createSlidingWindow({ ...all, among: amongOf('users') })
  const isOn = config.GLOBAL_API_RATE_LIMIT_ENABLE
  return {
    /** Console calls of people, by their id; `undefined` when switched off. */
    byUser: isOn ? combineWindows([byUser], (id) => [{ key: String(id), window: byUser }]) : undefined,
    /** Console calls of strangers; `undefined` when switched off. */
    byAddress: isOn
      ? bySubject(bySubscriber(createSlidingWindow({ ...all, among: amongOf('addresses') })), {
          ...all,
          among: amongOf('proxies'),
        })
      : undefined,
    /** Calls of this process that test a secret; see `critical-limit.ts`. */
    critical: bySubject(createBruteForceLimit(secrets), secrets),
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>

function bySubscriber(window: SlidingWindow): SlidingWindow {
  return combineWindows([window], (address) => [{ key: subscriberOf(address), window }])
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
  return combineWindows([own, proxies], ({ address, proxy }) => [
    ...(address === undefined ? [] : [{ key: address, window: own }]),
    ...(proxy === undefined ? [] : [{ key: proxy, window: proxies }]),
  ])
}

/**
 * Shares of a /48, a /56 and a /64 in the limit of one subscriber: how many times they may use it up. An IPv4 address counts as the
 * last.
 */
export const networkShares = [4, 2, 1] as const
/** Some 10 MB at most. */
const maxKeys = 100_000

interface Options {
  /** Tries of one subscriber: an IPv4 address, or 64 bits of IPv6. */
  readonly limit: number
  readonly windowSeconds: number
  readonly clock: Clock
}

/**
 * Counts tries at secrets by address. Unlike a throttle of traffic it forgets nothing under pressure: it counts the /48 and
 * the /56 of an IPv6 address beside its /64, and addresses for which there is no room share one count. A spent network is
 * refused before anything of it is counted, so it cannot fill the table either.
 */
export function createBruteForceLimit({ limit, windowSeconds, clock }: Options): SlidingWindow {
  const windows = networkShares.map((share) =>
    createSlidingWindow({ limit: limit * share, windowSeconds, clock, maxKeys, whenFull: 'share' }),
  )

  return combineWindows(windows, (address) => {
    const networks = networksOf(address)
    return windows
      .slice(-networks.length)
      .map((window, index) => ({ key: networks[index] ?? address, window }))
  })
}
