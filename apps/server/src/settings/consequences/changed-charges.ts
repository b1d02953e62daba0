import { anyBudgetName, type ChangedCharge, type PricedPart, tokenPriceKinds } from '@tollgate/api'
import type { SettingValues } from '@tollgate/api/settings'
import {
  type ChangedPart,
  type CompletePrice,
  changedAmounts,
  changedFactors,
} from '../../billing/pricing/changes/changed-parts.ts'
import { modelPriceOf } from '../../billing/pricing/model-price.ts'
import { findPrice, groupRatioOf, pricedName } from '../../billing/pricing/price-table.ts'
import { modelOptions } from '../model-maps.ts'

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

/**
 * Returns the factor of a charge; of one that was free until now, or had no price, it is infinite. A tool or tier without a price was
 * refused: nobody pays more for it.
 */
function riseOf({ part, before, after }: ChangedCharge): number {
  if (before === null && !tokenParts.has(part) && part !== 'call') return 0
  return before === 0 || before === null ? Number.MAX_VALUE : (after ?? 0) / before
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
  const names = changedNames(before, after)
  if (names.length === 0) return []
  const models = new Set([...served.values()].flatMap((each) => [...each]))
  return [...models]
    .filter((model) => names.some((name) => concerns(name, model)))
    .flatMap((model) => {
      const groups = [...served].flatMap(([group, of]) => (of.has(model) ? [group] : []))
      return changedPricesOf(model, groups, before, after)
    })
}

/** Lists the entries of options that differ: of models, and of beginnings of their names. */
function changedNames(before: SettingValues, after: SettingValues): readonly string[] {
  const names = modelOptions.flatMap((key) => {
    const [old, next]: readonly Readonly<Record<string, unknown>>[] = [before[key], after[key]]
    if (old === undefined || next === undefined || old === next) return []
    return Object.keys({ ...old, ...next }).filter((name) => entryText(old, name) !== entryText(next, name))
  })
  return [...new Set(names)]
}

function entryText(map: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.hasOwn(map, name) ? JSON.stringify(map[name]) : undefined
}

/** Decides whether an entry may price a model: rather too often, as prices are compared then. */
function concerns(entry: string, model: string): boolean {
  const name = pricedName(model)
  const names = [name, anyBudgetName(name) ?? name]
  return names.includes(entry) || (entry.endsWith('*') && name.startsWith(entry.slice(0, -1)))
}

function changedPricesOf(
  model: string,
  groups: readonly string[],
  before: SettingValues,
  after: SettingValues,
): readonly ChangedCharge[] {
  return groups.flatMap((group, index) => {
    const [old, next] = [completePrice(before, model, group), completePrice(after, model, group)]
    if (old === undefined || next === undefined) return []
    const amounts = changedAmounts(old, next)
    const own = new Set([before, after].flatMap((settings) => Object.keys(modelPriceOf(settings, model))))
    const named = amounts.filter((part) => own.has(part.part) || !followsInput(part, amounts))
    return [
      ...named.map((part) => chargeOf(part, model, group)),
      // Factors are the same in every group.
      ...(index === 0 ? changedFactors(old, next).map((part) => chargeOf(part, model, '')) : []),
    ]
  })
}

function completePrice(settings: SettingValues, model: string, group: string): CompletePrice | undefined {
  const price = findPrice(settings, model, group)
  if (price === 'unpriced') return undefined
  const { VideoPrice, QuotaPerUnit: quotaPerUnit } = settings
  const name = pricedName(model)
  return { price, quotaPerUnit, video: Object.hasOwn(VideoPrice, name) ? VideoPrice[name] : undefined }
}

const tokenParts: ReadonlySet<string> = new Set(tokenPriceKinds.map(({ name }) => name))
const alwaysNamed: ReadonlySet<PricedPart> = new Set(['input', 'output'])

/** Decides whether a part without a figure of its own changes as input does, as defaults for caches and audio do. */
function followsInput({ part, before, after }: ChangedPart, all: readonly ChangedPart[]): boolean {
  if (!tokenParts.has(part) || alwaysNamed.has(part)) return false
  // A model that was, or will be, charged by call has no price of tokens on one side.
  if (before === undefined || after === undefined) return true
  const input = all.find((each) => each.part === 'input')
  const factorOf = (old = 1, next = 1) => next / (old || 1)
  return Math.abs(factorOf(before, after) - factorOf(input?.before, input?.after)) <= 1e-6
}

function chargeOf(
  { part, within, unit, unitBefore, before, after }: ChangedPart,
  model: string,
  group: string,
): ChangedCharge {
  return {
    ...{ model, group, part, unit, before: before ?? null, after: after ?? null },
    ...(within !== '' && { within }),
    ...(unitBefore !== undefined && { unit_before: unitBefore }),
  }
}
