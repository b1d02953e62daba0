import type { Tone } from '../../components/ui/tag.tsx'

/** How dear a group makes its models (spec accounts §9): above 5 red, above 3 orange, above 1 blue, else green. */
export function ratioTone(ratio: number): Tone {
  if (ratio > 5) return 'bad'
  if (ratio > 3) return 'warn'
  return ratio > 1 ? 'info' : 'good'
}
