import type { ChangedCharge, PricedPart } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import { groupRatioOf } from '../../billing/pricing/price-table.ts'
import { changedModels, entriesOf, type Figures, figuresOf, readable, subjectOf } from './far-prices.ts'

/** Models that a group is served, by group. */
export type ServedModels = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Returns the charges that a change of options alters, with the ratios of the groups that reach the models; those that rise most come
 * first. A group whose ratio changes has one entry for all of its models. What gets a price, or loses it, is no change of a charge.
 */
export function changedCharges(
  before: SettingValues,
  after: SettingValues,
  served: ServedModels,
): readonly ChangedCharge[] {
  const charges = [...changedRatios(before, after, served), ...changedPrices(before, after, served)]
  return charges.toSorted((a, b) => riseOf(b) - riseOf(a))
}

/** Returns the factor of a charge; of one that was free until now it is infinite. */
function riseOf({ before, after }: ChangedCharge): number {
  return before === 0 ? Number.MAX_VALUE : after / before
}

function changedRatios(before: SettingValues, after: SettingValues, served: ServedModels): ChangedCharge[] {
  return [...served.keys()].flatMap((group) => {
    // Where its members go when it is removed is decided later, and so is their ratio.
    if (!Object.hasOwn(after.GroupRatio, group)) return []
    const [old, next] = [groupRatioOf(before, group), groupRatioOf(after, group)]
    return old === next
      ? []
      : [{ model: '', group, part: 'GroupRatio', unit: 'factor', before: old, after: next }]
  })
}

function changedPrices(before: SettingValues, after: SettingValues, served: ServedModels): ChangedCharge[] {
  return changedModels(before, after).flatMap((model) => {
    const [old, next] = [figuresOf(before, model), figuresOf(after, model)]
    if (old === undefined || next === undefined) return []
    const groups = [...served].flatMap(([group, models]) => (models.has(model) ? [group] : []))
    return groups.flatMap((group) =>
      changedParts(old, next).map((part) => {
        const { unit, scale } = subjectOf(model, part, after)
        const chargeOf = (figures: Figures, settings: SettingValues) =>
          readable((figures[part] ?? 0) * scale * groupRatioOf(settings, group))
        return { model, group, part, unit, before: chargeOf(old, before), after: chargeOf(next, after) }
      }),
    )
  })
}

/** Lists the parts that change; those that follow the input, as the prices of caches do, change with it and are not named. */
function changedParts(old: Figures, next: Figures): readonly PricedPart[] {
  const factorOf = (part: PricedPart) => (next[part] ?? 0) / (old[part] || 1)
  const named: ReadonlySet<PricedPart> = new Set(['call', 'input', 'output'])
  return entriesOf(next)
    .filter(([part, figure]) => figure !== old[part])
    .map(([part]) => part)
    .filter((part) => named.has(part) || Math.abs(factorOf(part) - factorOf('input')) > 1e-9)
}
