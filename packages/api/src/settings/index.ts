import { type AdminPart, hasPart, type PartHolder } from '../admin-parts.ts'
import { settingCatalogue } from './catalogue/index.ts'
import { hasRank, type Placement } from './placement.ts'
import type { Setting, SettingResult } from './setting.ts'

export type {
  LengthStep,
  PricedTier,
  PricedTool,
  TierRatios,
  ToolPrices,
  VideoPriceRule,
} from '../models/surcharges.ts'
export { settingCatalogue } from './catalogue/index.ts'
export { type Placement, type SettingGroup, type SettingTab, settingGroups } from './placement.ts'
export type { Setting, SettingControl, SettingProblem, SettingResult } from './setting.ts'
export type { ChatLink, ModelHeaders, NumberMap, RateLimitEntry, TextMap } from './shapes.ts'
export type { PriceWindow, TimePrices, Weekday } from './time-price-shapes.ts'

type Catalogue = typeof settingCatalogue
export type SettingKey = keyof Catalogue

/** Every setting read as a value. */
export type SettingValues = { readonly [Key in SettingKey]: Catalogue[Key]['default'] }

/** Keys in the order of the catalogue. */
export const settingKeys = Object.keys(settingCatalogue) as readonly SettingKey[]

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingCatalogue, key)
}

/** The definition of a setting, typed by its key. */
export function settingOf<Key extends SettingKey>(key: Key): Setting<SettingValues[Key]> & Placement {
  // Each entry of the catalogue is a setting of its own default's type; indexing by a type parameter loses that.
  return settingCatalogue[key] as unknown as Setting<SettingValues[Key]> & Placement
}

/** Reads a stored or sent text; a refusal names the fault in both languages. */
export function parseSetting<Key extends SettingKey>(
  key: Key,
  text: string,
): SettingResult<SettingValues[Key]> {
  const result = settingOf(key).parse(text)
  return result.ok ? result : { ...result, details: { key, ...result.details } }
}

/** The text of a value, in stored and displayed form; JSON is compact. */
export function formatSetting<Key extends SettingKey>(key: Key, value: SettingValues[Key]): string {
  return settingOf(key).format(value)
}

/** The values in force where nothing is stored. */
export const defaults: SettingValues = Object.freeze(
  // The catalogue's keys with their own defaults: the mapped type says the same.
  Object.fromEntries(
    settingKeys.map((key) => [key, settingCatalogue[key].default]),
  ) as unknown as SettingValues,
)

/** Recognises a secret, which is written but never read back, not even by the super admin. */
export function isSecret(key: SettingKey): boolean {
  return settingCatalogue[key].control.kind === 'secret'
}

/** Decides whether saving this option demands a recent proof; an unknown name does not, as it saves nothing. */
export function optionAsksForProof(key: string): boolean {
  return isSettingKey(key) && settingCatalogue[key].recentProof === true
}

export function mayRead(reader: PartHolder, key: SettingKey): boolean {
  const { read, part } = settingCatalogue[key]
  return hasRank(reader, read, part)
}

/** Rights over options that root gives to all administrators. */
export type Delegation = Pick<SettingValues, 'AdminMoneyOptionsEnabled'>

/** @param delegation the values in force: of what moves money, root decides whether administrators write it too */
export function mayWrite(writer: PartHolder, key: SettingKey, delegation: Delegation = defaults): boolean {
  const placement: Placement = settingCatalogue[key]
  const { read, write, part, partToWrite = part, movesMoney } = placement
  const isDelegated = movesMoney && (delegation.AdminMoneyOptionsEnabled || hasPart(writer, 'money-options'))
  return hasRank(writer, isDelegated ? read : write, part, partToWrite)
}

/** Recognises options that move root's money: only root writes them unless root delegates that. */
export function movesMoney(key: SettingKey): boolean {
  return settingCatalogue[key].movesMoney
}

/** The part of the card of an option. */
export function partOf(key: SettingKey): AdminPart {
  return settingCatalogue[key].part
}

/** The part that an administrator needs to write an option. */
export function partToWrite(key: SettingKey): AdminPart {
  const { part, partToWrite = part }: Placement = settingCatalogue[key]
  return partToWrite
}
