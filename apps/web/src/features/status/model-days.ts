import type { ModelState, ModelStatus } from '@tollgate/api'

/** Level of a day; `none` without data. */
export type DayLevel = 'good' | 'warn' | 'bad' | 'none'

const goodShare = 0.99
const warnShare = 0.95

/** Returns the level of a day by its share of successful calls. */
export function levelOf(share: number | null): DayLevel {
  if (share === null) return 'none'
  if (share >= goodShare) return 'good'
  return share >= warnShare ? 'warn' : 'bad'
}

/** Finds the worst day: its share and its index; `undefined` without data. */
export function worstDay(days: readonly (number | null)[]) {
  let worst: { readonly share: number; readonly index: number } | undefined
  for (const [index, share] of days.entries())
    if (share !== null && share <= (worst?.share ?? 1)) worst = { share, index }
  return worst
}

const order: Readonly<Record<ModelState, number>> = { outage: 0, degraded: 1, operational: 2, unknown: 3 }

/** Lists the models that match: those with problems first, then by name. */
export function listedModels(models: readonly ModelStatus[], keyword: string): readonly ModelStatus[] {
  const word = keyword.trim().toLowerCase()
  return models
    .filter(({ model_name, owner_by }) => `${model_name}\n${owner_by}`.toLowerCase().includes(word))
    .toSorted((a, b) => order[a.state] - order[b.state] || a.model_name.localeCompare(b.model_name, 'en'))
}

/** Counts the models that are degraded or down. */
export function troubled(models: readonly ModelStatus[]): number {
  return models.filter(({ state }) => state === 'degraded' || state === 'outage').length
}
