import {
  type Call,
  calls,
  channelSettingMembers,
  foreignMembers,
  recordMembers,
  repeatedMembers,
  resourceOf,
  unknownMembers,
} from '@tollgate/api'
import type { z } from 'zod'
import { Refusal } from '../../../lib/refusal.ts'

type Json = Readonly<Record<string, unknown>>

/** In a newer console, JSON beside `setting` with members that stand in `setting` here. */
const newerSetting = 'settings'

/**
 * Returns the members of a body that its call ignores, for a warning. Members of a record that was read and is sent back are left
 * out: all of them where it is changed, and empty ones where another is made of it.
 * @throws Refusal for one that has an effect in other consoles and none here
 */
export function ignoredMembers(call: Call, schema: z.ZodType, body: unknown): readonly string[] {
  const resource = resourceOf(call.path)
  const foreign = foreignMembers[resource] ?? {}
  const returned = returnedMembers(call)
  return unknownMembers(schema, body).flatMap((path) => {
    const name = path.replace(/^channel\./, '')
    const value = memberAt(body, path)
    if (repeatedMembers[resource]?.includes(name)) return []
    if (resource === 'channel' && name === newerSetting) return settingsIn(value)
    if (Object.hasOwn(foreign, name)) return isEmpty(value) ? [] : refuseForeign(name, foreign[name] ?? null)
    const isSentBack = returned.has(name) && (call.method === 'PUT' || isEmpty(value))
    return isSentBack ? [] : [path]
  })
}

function refuseForeign(field: string, to: string | null): never {
  if (to === null) throw new Refusal('field_not_supported', { field })
  throw new Refusal('field_written_elsewhere', { field, to })
}

/** The members that are set, where none of them belongs into `setting`. */
function settingsIn(value: unknown): readonly string[] {
  const members = typeof value === 'string' ? parsed(value) : value
  if (!isObject(members)) return isEmpty(value) ? [] : [newerSetting]
  const set = Object.keys(members).filter((name) => !isEmpty(members[name]))
  const known = set.find((name) => channelSettingMembers.includes(name))
  if (known !== undefined) refuseForeign(`${newerSetting}.${known}`, `setting.${known}`)
  return set.map((name) => `${newerSetting}.${name}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readers: ReadonlyMap<string, ReadonlySet<string>> = readersByResource()

/** What reading calls of each resource return of one record. */
function readersByResource(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const call of Object.values(calls).flatMap((group): Call[] => Object.values(group))) {
    const record = /^\/api\/[a-z]+\/(:id|self)?$/.test(call.path)
    if (call.method !== 'GET' || !record || call.data === undefined) continue
    const members = found.get(resourceOf(call.path)) ?? new Set()
    for (const name of recordMembers(call.data)) members.add(name)
    found.set(resourceOf(call.path), members)
  }
  return found
}

function returnedMembers({ path, data }: Call): ReadonlySet<string> {
  const own = data === undefined ? [] : recordMembers(data)
  return new Set([...(readers.get(resourceOf(path)) ?? []), ...own])
}

function memberAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), body)
}

const emptyTexts = new Set(['', '{}', '[]', 'null', '0', 'false'])

/** Whether a member says what its absence says. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return emptyTexts.has(value.trim())
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return !value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxNames = 32
const plainName = /^[\w.[\]-]{1,64}$/

/** The value of `X-Tollgate-Warning`: names alone, those of plain characters, and how many others there are. */
export function warningOf(what: string, names: readonly string[]): string {
  const shown = names.filter((name) => plainName.test(name)).slice(0, maxNames)
  const others = names.length - shown.length
  const list = [...shown, ...(others > 0 ? [`${others} more`] : [])]
  return `${what}: ${list.join(', ')}`
}
