import type { Consent } from '@tollgate/api'
import { formatSetting, isSecret, isSettingKey, parseSetting, type SettingKey } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import { ConfirmationRequired } from '../../settings/consequences/confirmation.ts'
import type { ChangesOf, OptionChange } from '../../settings/settings.ts'
import { type ImportContext, unitOf } from '../import-context.ts'
import type { Note, SourceOption } from '../import-source.ts'
import { TableReport } from '../report.ts'

/** Takes the options that exist here and are not set here; of maps, the entries that are not. */
export async function takeOptions(context: ImportContext): Promise<TableReport> {
  const report = new TableReport('options')
  const stored = new Set((await context.store.options.listAll()).map(({ key }) => key))
  for await (const options of context.source.options(unitOf(context))) {
    const known = await context.store.imports.known(
      context.name,
      'option',
      options.map(({ key }) => key),
    )
    // Groups come before what names them, and what switches need before the switches.
    for (const option of options.toSorted((a, b) => rankOf(a) - rankOf(b)))
      if (known.has(option.key)) report.before += 1
      else await takeOption(context, report, option, stored.has(option.key))
  }
  return report
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
    await changeOnce(context, changes, key)
    report.take(merged.changes)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    report.leave({ reason: reasonOf(error), example: `${key}: ${error.message}` })
  }
}

/** What is asked about in the console is left out here, and named, unless the command says that it is meant. */
async function changeOnce(
  { settings, name, now, isConfirmed }: ImportContext,
  changes: ChangesOf<OptionChange>,
  key: SettingKey,
): Promise<void> {
  const change = (consent: Consent) =>
    settings.change(
      changes,
      async (tx) => {
        const row = { source: name, kind: 'option', sourceId: key, mark: '' } as const
        await tx.imports.add([{ ...row, targetId: 0, importedAt: now }])
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

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
