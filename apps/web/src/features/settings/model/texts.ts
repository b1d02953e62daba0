import type { OptionRow } from '@tollgate/api'
import { parseSetting, settingCatalogue, settingOf } from '@tollgate/api/settings'
import { prettyJson } from '../../../lib/format/json-text.ts'
import { type VisibleKey, visibleKeys } from './catalogue.ts'

/** The texts of the form by the name of their field. */
export type SettingTexts = Record<string, string>

/** Names the field of a setting in the form: a dot in it would make the form look inside an object. */
export function fieldName(key: VisibleKey): string {
  return key.replaceAll('.', '/')
}

/** Returns the texts that the form starts from. Secrets are never read back: their fields are blank. */
export function startTexts(rows: readonly OptionRow[]): SettingTexts {
  const stored = new Map(rows.map(({ key, value }) => [key, value]))
  return Object.fromEntries(
    visibleKeys
      .filter((key) => stored.has(key))
      .map((key) => {
        const text = stored.get(key) ?? ''
        return [fieldName(key), settingCatalogue[key].control.kind === 'json' ? prettyJson(text) : text]
      }),
  )
}

/** The text that stands for a value, whatever blanks and line breaks it was typed with. */
function canonicalText(key: VisibleKey, text: string): string {
  const setting = settingOf(key)
  const parsed = setting.parse(text)
  return parsed.ok ? setting.format(parsed.value) : text
}

/** Texts that are saved as they were typed: blanks and line breaks in them are the operator's. */
const asTyped: ReadonlySet<string> = new Set(['json', 'lines', 'secret'])

/**
 * Returns the text to save: an address without a slash at its end, a number without blanks and with no more decimals than it has. A
 * text that cannot be saved stays unchanged.
 */
export function savedText(key: VisibleKey, text: string): string {
  const { control } = settingCatalogue[key]
  const isLong = control.kind === 'text' && control.multiline
  return asTyped.has(control.kind) || isLong ? text : canonicalText(key, text)
}

/** The settings whose typed value is another than the stored one, in the order of the page. */
export function changedKeys(start: SettingTexts, typed: SettingTexts): readonly VisibleKey[] {
  return visibleKeys.filter((key) => {
    const before = start[fieldName(key)]
    const after = typed[fieldName(key)]
    if (before === undefined || after === undefined || before === after) return false
    return canonicalText(key, before) !== canonicalText(key, after)
  })
}

/**
 * Decides whether a setting of payments lacks the server address, to which they are reported: without one none of theirs is saved.
 * Where the address is not visible, it is not demanded.
 */
export function lacksAddress(key: VisibleKey, typed: SettingTexts): boolean {
  return settingCatalogue[key].group === 'payment' && typed[fieldName('ServerAddress')]?.trim() === ''
}

/** Returns the problem of a typed text, as a code and its details. */
export function problemOf(key: VisibleKey, text: string) {
  const parsed = parseSetting(key, text)
  return parsed.ok ? undefined : parsed
}
