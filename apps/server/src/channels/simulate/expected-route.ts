import type { RoutedChannel, Tier } from '../routing/routing-types.ts'

/** Average course of one call. */
export interface ExpectedRoute {
  /** The part of calls that each channel answers. */
  readonly answered: ReadonlyMap<RoutedChannel, number>
  /** The part that no channel answers. */
  readonly failed: number
  /** Failed attempts per call that are made good by another channel, or were the last. */
  readonly failures: number
}

/** Ways that are looked at one by one; beyond, the rest of a way counts as failed. */
const maxWays = 20_000
/** Ways that hardly any call takes. */
const minFlow = 1e-6

/**
 * The expected way of a call through tiers: inside a tier channels are drawn by weight, a failed one is not tried again, and a
 * call tries at most `maxAttempts`.
 * @param failureRate the part of attempts at a channel after which another is tried, from 0 to 1
 */
export function expectedRoute(
  tiers: readonly Tier[],
  maxAttempts: number,
  failureRate: (channel: RoutedChannel) => number,
): ExpectedRoute {
  const answered = new Map<RoutedChannel, number>()
  const found = { failed: 0, failures: 0, ways: 0 }

  function go(flow: number, tierIndex: number, tried: readonly RoutedChannel[]): void {
    const tier = tiers[tierIndex]
    found.ways += 1
    if (tier === undefined || tried.length >= maxAttempts || flow < minFlow || found.ways > maxWays) {
      found.failed += flow
      return
    }
    const shares = firstShares(tier.channels.filter((channel) => !tried.includes(channel)))
    if (shares.size === 0) {
      go(flow, tierIndex + 1, tried)
      return
    }
    for (const [channel, share] of shares) {
      const reached = flow * share
      const fails = reached * failureRate(channel)
      answered.set(channel, (answered.get(channel) ?? 0) + reached - fails)
      if (fails === 0) continue
      found.failures += fails
      go(fails, tierIndex, [...tried, channel])
    }
  }

  go(1, 0, [])
  return { answered, failed: found.failed, failures: found.failures }
}

/**
 * Returns the share of each channel, by weight; in equal parts where none has any. A channel of weight 0 beside others is drawn after
 * them.
 */
export function firstShares(channels: readonly RoutedChannel[]): ReadonlyMap<RoutedChannel, number> {
  const weighted = channels.filter(({ weight }) => weight > 0)
  const sum = weighted.reduce((total, { weight }) => total + weight, 0)
  if (sum > 0) return new Map(weighted.map((channel) => [channel, channel.weight / sum]))
  return new Map(channels.map((channel) => [channel, 1 / channels.length]))
}
