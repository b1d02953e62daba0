import { listedName, type PriceEntries, type PriceEntryName, priceEntryKinds } from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { modelEntry, modelMembers, type PriceSettings, pricedName } from '../price-table.ts'

type EntryOption = (typeof priceEntryKinds)[number]['option']
type EntrySettings = Pick<PriceSettings, EntryOption>

/** A change of the entry of one model in an option; null removes it. */
interface EntryOptionChange {
  readonly key: EntryOption
  readonly entries: Readonly<Record<string, unknown>>
  readonly base?: string
}

/** Entries that a save of one model's price names. */
export type EntryChanges = { readonly [Name in PriceEntryName]?: PriceEntries[Name] | null | undefined }

/** Returns the charges beside tokens that entries of this model alone make. */
export function ownEntriesOf(settings: EntrySettings, model: string): PriceEntries {
  const name = pricedName(model)
  return entriesBy((option) => (Object.hasOwn(settings[option], name) ? settings[option][name] : undefined))
}

/** Returns the charges beside tokens that hold where the model has no entry of its own. */
export function inheritedEntriesOf(settings: EntrySettings, model: string): PriceEntries {
  const name = pricedName(model)
  return entriesBy((option, members) => {
    const { [name]: _own, ...others } = settings[option] as Readonly<Record<string, object>>
    return members ? modelMembers(others, name) : modelEntry(others, name)
  })
}

/** Returns the vendor's charges beside tokens; none for a model outside the table of models. */
export function listEntriesOf(model: string): PriceEntries {
  const name = listedName(model)
  if (name === undefined) return {}
  return entriesBy((option, members) =>
    members
      ? modelMembers(defaults[option] as Readonly<Record<string, object>>, name)
      : modelEntry(defaults[option] as Readonly<Record<string, object>>, name),
  )
}

/**
 * The options that give a model these entries; `null` removes one, an absent one stays.
 * @param base the entries that the change was made on
 */
export function entryChanges(
  model: string,
  entries: EntryChanges = {},
  base?: PriceEntries,
): readonly EntryOptionChange[] {
  const name = pricedName(model)
  return priceEntryKinds.flatMap(({ name: kind, option }) => {
    const entry = entries[kind]
    if (entry === undefined) return []
    const change = { key: option, entries: { [name]: entry } }
    const was = base?.[kind]
    if (base === undefined) return [change]
    return [{ ...change, base: JSON.stringify(was === undefined ? {} : { [name]: was }) }]
  })
}

function entriesBy(find: (option: EntryOption, members: boolean) => unknown): PriceEntries {
  const found = priceEntryKinds.map(({ name, option, members }) => [name, find(option, members)] as const)
  // Each option stores values of the shape of its kind.
  return Object.fromEntries(found.filter(([, entry]) => entry !== undefined)) as PriceEntries
}
