import type { Tone } from '../../components/ui/tag.tsx'

type Tier = Extract<Tone, 'good' | 'warn' | 'bad'>

/** How long a call took, in seconds, as a judgement (spec operations §4). */
export function durationTier(seconds: number): Tier {
  return seconds < 101 ? 'good' : seconds < 300 ? 'warn' : 'bad'
}

/** How long the first token took, in milliseconds. */
export function firstTokenTier(milliseconds: number): Tier {
  return milliseconds < 3000 ? 'good' : milliseconds < 10_000 ? 'warn' : 'bad'
}

export const tierText: Readonly<Record<Tier, string>> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
}
