import type { Clock } from '@tollgate/base'
import {
  type CountedTries,
  createCountedTries,
  type TryCount,
  type TryRepository,
} from '../../../accounts/users/login/guesses/counted-tries.ts'
import { networksOf } from '../../../lib/outbound/addresses.ts'
import type { SlidingWindow } from '../../../lib/sliding-window.ts'
import type { LimitSubject } from '../../client-address.ts'
import { networkShares, proxyFactor, type RateLimitConfig } from './rate-limits.ts'

/** Limits calls that test a secret, one count for all of them. */
export type CriticalLimit = CountedTries<LimitSubject>

interface Options {
  readonly own: SlidingWindow<LimitSubject>
  readonly tries: TryRepository
  readonly config: RateLimitConfig
  readonly clock: Clock
  readonly isForgotten?: () => Promise<boolean>
}

export function createCriticalLimit({ own, tries, config, clock, isForgotten }: Options): CriticalLimit {
  const { CRITICAL_RATE_LIMIT: limit, CRITICAL_RATE_LIMIT_DURATION: windowSeconds } = config
  const countsOf = (subject: LimitSubject) => tryCounts(subject, limit)
  return createCountedTries({
    own,
    tries,
    purpose: 'tried secret',
    windowSeconds,
    countsOf,
    clock,
    ...(isForgotten !== undefined && { isForgotten }),
  })
}

/** The networks that a try counts for, the smallest first, and the proxy that brought it. */
function tryCounts({ address, proxy }: LimitSubject, limit: number): TryCount[] {
  const networks = address === undefined ? [] : networksOf(address).toReversed()
  const shares = networkShares.toReversed()
  return [
    ...networks.map((subject, index) => ({ subject, max: limit * (shares[index] ?? 1) })),
    ...(proxy === undefined ? [] : [{ subject: `proxy ${proxy}`, max: limit * proxyFactor }]),
  ]
}
