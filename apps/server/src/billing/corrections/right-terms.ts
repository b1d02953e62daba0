import type { ModelPrice } from '@tollgate/api'
import { defaults, type SettingKey, type SettingValues } from '@tollgate/api/settings'
import { getOrInsert } from '@tollgate/base'
import { priceChanges } from '../pricing/model-price.ts'
import type { Price } from '../pricing/price.ts'
import { findPrice } from '../pricing/price-table.ts'

/** Terms by which calls are charged again: those in force, except for those named here. */
export interface Terms {
  /** The price of one model, before the ratio of any group. */
  readonly price?: { readonly model: string; readonly amounts: ModelPrice } | undefined
  /** The ratio of every group. */
  readonly groupRatio?: number | undefined
}

/** Prices of calls by the right terms, as they are when this is made: what is changed meanwhile does not count. */
export interface RightTerms {
  readonly settings: SettingValues
  /**
   * @param chargedRatio the group's ratio as the call was charged: it holds where the group is gone
   * @param atSeconds when the call was accepted
   */
  priceOf(
    model: string,
    group: string,
    chargedRatio: number | undefined,
    atSeconds?: number,
  ): Price | 'unpriced'
}

export function rightTerms(current: SettingValues, { price, groupRatio }: Terms): RightTerms {
  const settings = price === undefined ? current : withPrice(current, price.model, price.amounts)
  const byRatio = new Map<number, SettingValues>()

  /** The same settings with one ratio for every group. */
  function at(ratio: number): SettingValues {
    return getOrInsert(byRatio, ratio, () => ({ ...settings, GroupRatio: oneRatio(ratio) }))
  }

  return {
    settings,
    priceOf(model, group, chargedRatio, atSeconds) {
      const isKnown = Object.hasOwn(settings.GroupRatio, group)
      const ratio = groupRatio ?? (isKnown ? undefined : chargedRatio)
      const values = ratio === undefined ? settings : at(ratio)
      return findPrice(values, model, ratio === undefined ? group : anyGroup, true, atSeconds)
    },
  }
}

const anyGroup = 'any'

function oneRatio(ratio: number): SettingValues['GroupRatio'] {
  return { [anyGroup]: ratio }
}

function withPrice(current: SettingValues, model: string, price: ModelPrice): SettingValues {
  const changed: Partial<Record<SettingKey, object>> = {}
  for (const { key, entries } of priceChanges(current, model, price)) {
    const known = current[key] ?? defaults[key]
    const merged = Object.entries({ ...known, ...entries }).filter(([, value]) => value !== null)
    changed[key] = Object.fromEntries(merged)
  }
  // Each is a map of the same numbers as before, with one entry changed.
  return { ...current, ...changed } as SettingValues
}
