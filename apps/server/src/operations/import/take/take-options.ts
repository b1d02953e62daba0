import type { Consent } from '@tollgate/api'
import {
  formatSetting,
  isSecret,
  isSettingKey,
  movesMoney,
  parseSetting,
  type SettingKey,
} from '@tollgate/api/settings'
import { Refusal } from '../../../lib/refusal.ts'
import { ConfirmationRequired } from '../../../settings/consequences/confirmation.ts'
import type { ChangesOf, OptionChange } from '../../../settings/settings.ts'
import { type ImportContext, unitOf } from '../import-context.ts'
import type { Note, SourceOption, SourcePrices } from '../import-source.ts'
import { TableReport } from '../report.ts'
import { addedPrices, isMap, isPrice, priceKeys, reportDifferences } from './take-prices.ts'

/** Takes the options that exist here and are not set here; of maps, the entries that are not. */
export async function takeOptions(context: ImportContext): Promise<TableReport> {
  const report = new TableReport('options')
  const stored = new Set((await context.store.options.listAll()).map(({ key }) => key))
  const prices = (await context.store.users.rootExists()) ? context.source.prices : undefined
  const ofPrices: SourceOption[] = []
  for await (const options of context.source.options(unitOf(context))) {
    const known = await context.store.imports.known(
      context.name,
      'option',
      options.map(({ key }) => key),
    )
    // Groups come before what names them, and what switches need before the switches.
    for (const option of options.toSorted((a, b) => rankOf(a) - rankOf(b)))
      if (known.has(option.key)) report.before += 1
      else if (prices !== undefined && isPrice(option.key)) ofPrices.push(option)
      else
        await takeOption(
          context,
          report,
          option,
          stored.has(option.key) || staysInUse(context, prices, option),
        )
  }
  if (prices === undefined) return report
  await takePrices(context, report, prices, ofPrices)
  reportDifferences(context, report, prices)
  return report
}

/** Beside another installation, what moves money here stays, also where nothing is stored. */
function staysInUse(
  { settings }: ImportContext,
  prices: SourcePrices | undefined,
  { key, value }: SourceOption,
): boolean {
  if (prices === undefined || !isSettingKey(key) || !movesMoney(key)) return false
  return formatSetting(key, settings.current[key]) !== value
}

/** All entries of a model or none, in one change: a price that has half of its terms is another price. */
async function takePrices(
  context: ImportContext,
  report: TableReport,
  prices: SourcePrices,
  options: readonly SourceOption[],
): Promise<void> {
  // Taken by a run before: what somebody has taken out since stays out.
  if ((await context.store.imports.known(context.name, 'option', priceKeys)).size > 0) return
  const added = new Set(addedPrices(context.settings.current, prices).map(({ key }) => key))
  const stored = options.map(({ key }) => key).filter(isSettingKey)
  const keys = new Set([...added, ...stored])
  try {
    if (added.size > 0) {
      const noted = stored.filter((key) => added.has(key))
      await changeOnce(context, (now) => addedPrices(now, prices), noted)
    }
    for (const key of keys)
      if (added.has(key))
        report.take([{ reason: 'models that have a price here keep it, the others are added', example: key }])
      else report.leave({ reason: 'its models have a price here', example: key })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    for (const key of keys) report.leave({ reason: reasonOf(error), example: `${key}: ${error.message}` })
  }
}

function rankOf({ key, value }: SourceOption): number {
  if (key === ('GroupRatio' satisfies SettingKey)) return 0
  return value === 'true' || value === 'false' ? 2 : 1
}

async function takeOption(
  context: ImportContext,
  report: TableReport,
  { key, value: written, isPartial }: SourceOption,
  isStored: boolean,
): Promise<void> {
  const value = withFitNames(written)
  if (!isSettingKey(key)) return report.leave({ reason: 'there is no such option here', example: key })
  if (value === '' && isSecret(key)) return report.leave({ reason: 'it is empty there', example: key })
  const textOver = (here: unknown) => {
    if (isStored) return mergedText(here, key, value)
    return { text: isPartial ? overDefault(here, key, value) : value, changes: [] }
  }
  const merged = textOver(context.settings.current[key])
  if (merged === undefined) return report.leave({ reason: 'it is set here', example: key })
  // Somebody may have changed the map since.
  const changes: ChangesOf<OptionChange> = (now) => [
    { key, text: textOver(now[key])?.text ?? formatSetting(key, now[key]) },
  ]
  try {
    await changeOnce(context, changes, [key])
    report.take(merged.changes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    report.leave({ reason: reasonOf(error), example: `${key}: ${error.message}` })
  }
}

/** Changes options; those that need consent in the console are left out and named, unless the command consents. */
async function changeOnce(
  { settings, name, now, isConfirmed }: ImportContext,
  changes: ChangesOf<OptionChange>,
  keys: readonly SettingKey[],
): Promise<void> {
  const change = (consent: Consent) =>
    settings.change(
      changes,
      async (tx) => {
        const row = { source: name, kind: 'option', mark: '', targetId: 0, importedAt: now } as const
        await tx.imports.add(keys.map((sourceId) => ({ ...row, sourceId })))
      },
      consent,
    )
  try {
    await change({})
  } catch (error) {
    if (!isConfirmed || !(error instanceof ConfirmationRequired)) throw error
    await change({ confirmation: error.confirmation })
  }
}

function reasonOf(error: Refusal): string {
  return error instanceof ConfirmationRequired
    ? 'it asks for a confirmation: --confirm takes it all the same'
    : 'it is not valid here'
}

/** The entries here with those there that are not here; `undefined` where there are none, or the option is no map. */
function mergedText(
  here: unknown,
  key: SettingKey,
  value: string,
): { readonly text: string; readonly changes: readonly Note[] } | undefined {
  const parsed = parseSetting(key, value)
  if (!parsed.ok || !isMap(here) || !isMap(parsed.value)) return undefined
  const entries = Object.entries(parsed.value)
  const added = entries.filter(([name]) => !Object.hasOwn(here, name))
  if (added.length === 0) return undefined
  return {
    text: JSON.stringify({ ...here, ...Object.fromEntries(added) }),
    changes: [
      {
        reason: 'entries that are set here stay, the others are added',
        example: `${key}: ${added.length} of ${entries.length} added`,
      },
    ],
  }
}

/** The entries in force, with those there before them. */
function overDefault(here: unknown, key: SettingKey, value: string): string {
  const parsed = parseSetting(key, value)
  return parsed.ok && isMap(here) && isMap(parsed.value)
    ? JSON.stringify({ ...here, ...parsed.value })
    : value
}

/** A map whose names have no blanks around them: a name without them wins over the same with them. */
function withFitNames(text: string): string {
  const map = text.trim().startsWith('{') ? mapIn(text) : undefined
  const names = Object.keys(map ?? {})
  if (map === undefined || names.every((name) => name.trim() === name)) return text
  const trimmed = Object.fromEntries(names.map((name) => [name.trim(), map[name]]))
  const { '': _blank, ...fit } = { ...trimmed, ...fitNames(map) }
  return JSON.stringify(fit)
}

function fitNames(map: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(map).filter(([name]) => name.trim() === name))
}

function mapIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMap(value) ? value : undefined
  } catch {
    return undefined
  }
}
