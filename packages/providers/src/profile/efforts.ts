import type { Effort } from './target-profile.ts'

/** Efforts from the least to the most. */
const scale: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Recognises the efforts that all vendors understand alike. */
export function isEffort(value: unknown): value is Effort {
  return scale.some((effort) => effort === value)
}

/** Compares two efforts: true when the first is more. */
export function isBeyond(effort: unknown, limit: Effort): boolean {
  return scale.indexOf(effort as Effort) > scale.indexOf(limit) // What is no effort is nowhere on the scale.
}

/** The effort that a model has nearest to the one wanted, never `none`; of two as near the higher up to `high`, as vendors themselves do. `undefined` where it has none. */
export function nearestEffort(wanted: Effort, taken: readonly Effort[]): Effort | undefined {
  if (taken.includes(wanted)) return wanted
  const position = scale.indexOf(wanted)
  const distance = (effort: Effort) => Math.abs(scale.indexOf(effort) - position)
  // `default` is the one way in which some models think.
  if (taken.includes('default')) return 'default'
  const thinking = taken.filter((effort) => effort !== 'none')
  // Beyond `high` the higher one of two would cost more than the caller asked for.
  const isNearer = (effort: Effort, best: Effort) =>
    wanted === 'xhigh' ? distance(effort) < distance(best) : distance(effort) <= distance(best)
  return thinking.reduce<Effort | undefined>(
    (best, effort) => (best === undefined || isNearer(effort, best) ? effort : best),
    undefined,
  )
}

const ending = /-(none|minimal|low|medium|high|xhigh)$/

/**
 * Returns the effort at the end of a model's name, and the name without it: `o3-mini-high`. Never reads `-mini`, `-pro`, `-max`, which
 * are parts of names.
 */
export function effortInName(model: string): { readonly model: string; readonly effort: Effort } | undefined {
  const effort = ending.exec(model)?.[1]
  return isEffort(effort) ? { model: model.slice(0, -effort.length - 1), effort } : undefined
}
