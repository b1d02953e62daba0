import {
  formatSetting,
  type SettingKey,
  type SettingValues,
  settingKeys,
  settingOf,
} from '@tollgate/api/settings'
import { isPriced } from '../../../billing/pricing/price-table.ts'
import type { OptionChange } from '../../../settings/settings.ts'
import type { ImportContext } from '../import-context.ts'
import type { SourcePrices } from '../import-source.ts'
import type { TableReport } from '../report.ts'

type Entries = Readonly<Record<string, unknown>>

/** Options of prices: a model's price is made of its entries in all of them. */
export const priceKeys: readonly SettingKey[] = settingKeys.filter((key) => {
  const { group, movesMoney } = settingOf(key)
  return group === 'pricing' && movesMoney
})

const everyPriceKey: ReadonlySet<string> = new Set(priceKeys)

/** Recognises an option that is a part of models' prices. */
export function isPrice(key: string): boolean {
  return everyPriceKey.has(key)
}

/**
 * The entries of models that have no price here. A model with one keeps it whole: an entry more would change what its callers here pay.
 */
export function addedPrices(here: SettingValues, there: SourcePrices): readonly OptionChange[] {
  const names = namesOf(there)
  return priceKeys.flatMap((key) => {
    const stored = entriesOf(here, key)
    const added = Object.entries(entriesOf(there.values, key)).filter(
      ([name]) => names.has(name) && !Object.hasOwn(stored, name) && !isTaken(here, name),
    )
    if (added.length === 0) return []
    const text = JSON.stringify({ ...stored, ...Object.fromEntries(added) })
    return [{ key, text }]
  })
}

/** The models that are served there, and what differs there from the prices that the program brings along. */
function namesOf({ models, values }: SourcePrices): ReadonlySet<string> {
  const names = new Set(models)
  for (const key of priceKeys) {
    const standard = settingOf(key).default as Entries
    for (const [name, value] of Object.entries(entriesOf(values, key)))
      if (!isEqual(standard[name], value)) names.add(name)
  }
  return names
}

/** Decides whether a name has a price here; one with `*` at its end stands for all that begin so. */
function isTaken(here: SettingValues, name: string): boolean {
  if (!name.endsWith('*')) return isPriced(here, name)
  const start = name.slice(0, -1)
  return [...Object.keys(here.ModelPrice), ...Object.keys(here.ModelRatio)].some((model) =>
    model.startsWith(start),
  )
}

/** Says of everything that moves money and is otherwise here than there how much it is on both sides. */
export function reportDifferences(
  { settings: { current: here } }: Pick<ImportContext, 'settings'>,
  report: TableReport,
  there: SourcePrices,
): void {
  const names = namesOf(there)
  for (const key of settingKeys) {
    if (!settingOf(key).movesMoney) continue
    for (const line of differences(key, there.values, here, isPrice(key) ? names : undefined))
      report.say(`charged otherwise: ${line}`)
  }
}

/** @param names the entries that matter; all that are there without them */
function* differences(
  key: SettingKey,
  there: SettingValues,
  here: SettingValues,
  names: ReadonlySet<string> | undefined,
): Generator<string> {
  if (!isMap(there[key]) || !isMap(here[key])) {
    if (!isEqual(there[key], here[key]))
      yield `${key}: ${textOf(key, there)} there, ${textOf(key, here)} here`
    return
  }
  const [from, into] = [entriesOf(there, key), entriesOf(here, key)]
  for (const name of names ?? Object.keys(from))
    if (!isEqual(from[name], into[name]))
      yield `${key} ${name}: ${JSON.stringify(from[name]) ?? 'none'} there, ${JSON.stringify(into[name]) ?? 'none'} here`
}

function textOf(key: SettingKey, values: SettingValues): string {
  return formatSetting(key, values[key]) || 'none'
}

function entriesOf(values: SettingValues, key: SettingKey): Entries {
  const value = values[key]
  return isMap(value) ? value : {}
}

/** Recognises a map of entries. */
export function isMap(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
