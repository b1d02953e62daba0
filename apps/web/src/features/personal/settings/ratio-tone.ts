import type { Tone } from '../../../components/ui/tag.tsx'

/** The colour of a price ratio (spec accounts §9): red above 5, orange above 3, blue above 1, else green. */
export function ratioTone(ratio: number): Tone {
  if (ratio > 5) return 'bad'
  if (ratio > 3) return 'warn'
  return ratio > 1 ? 'info' : 'good'
}
