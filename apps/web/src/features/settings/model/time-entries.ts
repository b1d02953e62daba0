import type { TimePrices } from '@tollgate/api'
import { parseSetting } from '@tollgate/api/settings'
import {
  hasTimeProblem,
  startTimeForm,
  type TimeForm,
  timesOf,
} from '../../../components/prices/time-form.ts'

/** The settings that are a map of models to factors by time. */
export type TimeSetting = 'TimePrice' | 'TimeCost'
export type TimeEntries = Readonly<Record<string, TimePrices>>

/** One entry as it is typed. */
export type TimeEntryForm = { readonly name: string; readonly times: TimeForm }
export type TimeEntryProblem = 'nameMissing' | 'nameTaken' | 'noPeriod'

/** The entries of a typed text; `undefined` while it is not valid. */
export function readTimeEntries(setting: TimeSetting, text: string): TimeEntries | undefined {
  const parsed = parseSetting(setting, text)
  return parsed.ok ? parsed.value : undefined
}

/** @param zone that of a new entry */
export function startTimeEntry(name: string | undefined, entries: TimeEntries, zone: string): TimeEntryForm {
  return { name: name ?? '', times: startTimeForm(name === undefined ? undefined : entries[name], zone) }
}

/** Finds the problems of an entry, by field; the fields of a period have their own. */
export function timeEntryProblems(
  { name, times }: TimeEntryForm,
  isTaken: (name: string) => boolean,
): { readonly name?: TimeEntryProblem; readonly times?: TimeEntryProblem | 'wrong' } {
  const trimmed = name.trim()
  return {
    ...(trimmed === '' ? { name: 'nameMissing' } : isTaken(trimmed) && { name: 'nameTaken' }),
    ...(times.windows.length === 0 ? { times: 'noPeriod' } : hasTimeProblem(times) && { times: 'wrong' }),
  }
}

/** The entries with one that was typed; an entry without a problem has a period. */
export function withTimeEntry(entries: TimeEntries, { name, times }: TimeEntryForm): TimeEntries {
  const value = timesOf(times)
  return value === null ? entries : { ...entries, [name.trim()]: value }
}

export function withoutTimeEntry(entries: TimeEntries, name: string): TimeEntries {
  return Object.fromEntries(Object.entries(entries).filter(([other]) => other !== name))
}
