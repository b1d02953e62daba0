import type { Tone } from '../../../components/ui/tag.tsx'

/** Effect of a group's ratio on a price, for a sentence. */
export interface RatioEffect {
  readonly kind: 'base' | 'dearer' | 'cheaper' | 'free'
  /** Distance from the base price, in percent with at most one decimal. */
  readonly percent: number
}

export function ratioEffect(ratio: number): RatioEffect {
  const percent = Math.abs(Math.round((ratio - 1) * 1000) / 10)
  if (ratio <= 0) return { kind: 'free', percent: 100 }
  if (percent === 0) return { kind: 'base', percent }
  return { kind: ratio > 1 ? 'dearer' : 'cheaper', percent }
}

const tones = { base: 'neutral', dearer: 'warn', cheaper: 'good', free: 'good' } as const satisfies Record<
  RatioEffect['kind'],
  Tone
>

export function ratioTone(ratio: number): Tone {
  return tones[ratioEffect(ratio).kind]
}
