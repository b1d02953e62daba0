import type { Tone } from '../../../components/ui/tag.tsx'

type Tier = Extract<Tone, 'good' | 'warn' | 'bad'>

/** Judges the duration of a call, in seconds (spec operations §4). */
export function durationTier(seconds: number): Tier {
  return seconds < 101 ? 'good' : seconds < 300 ? 'warn' : 'bad'
}

/** Calls that are quicker than this are not slow, whatever their model. */
const minSlowMs = 2000

/**
 * Judges the duration of a call, in milliseconds: by the tiers of every call, and as a multiple of what is typical for its model, where
 * that is known.
 */
export function slownessTier(tookMs: number, typicalMs: number | undefined): Tier {
  const tier = durationTier(tookMs / 1000)
  if (typicalMs === undefined || tookMs < minSlowMs || tier === 'bad') return tier
  const times = tookMs / typicalMs
  return times >= 10 ? 'bad' : times >= 4 ? 'warn' : tier
}

/** Judges the time to the first token, in milliseconds. */
export function firstTokenTier(milliseconds: number): Tier {
  return milliseconds < 3000 ? 'good' : milliseconds < 10_000 ? 'warn' : 'bad'
}

export const tierText: Readonly<Record<Tier, string>> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
}
