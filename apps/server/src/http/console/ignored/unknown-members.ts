import {
  type Call,
  calls,
  type ForeignMember,
  foreignMembersOf,
  recordMembers,
  resourceOf,
  unknownMembers,
} from '@tollgate/api'
import type { z } from 'zod'
import { Refusal } from '../../../lib/refusal.ts'

type Json = Readonly<Record<string, unknown>>

/** Objects of a newer console's channels, or JSON texts of them, whose members are looked at one by one. */
const newerObjects: ReadonlySet<string> = new Set(['settings', 'channel_info'])

/**
 * Returns the members of a body that its call ignores, for a warning. Members of a record that was read and is sent back are left
 * out: all of them where it is changed, and empty ones where another is made of it.
 * @throws Refusal for one that has an effect in other consoles and none here
 */
export function ignoredMembers(call: Call, schema: z.ZodType, body: unknown): readonly string[] {
  const foreign = foreignMembersOf(call.path)
  const returned = returnedMembers(call)
  const unknown = unknownMembers(schema, body).flatMap((path) => withMembers(call, body, path))
  return unknown.filter((path) => {
    const name = path.replace(/^channel\./, '')
    const value = memberAt(body, path)
    if (Object.hasOwn(foreign, name)) return refuseForeign(name, foreign[name], value)
    const isSentBack = returned.has(name) && (call.method === 'PUT' || isEmpty(value))
    return !isSentBack
  })
}

/** @returns false for a value that asks for nothing, which is not named either */
function refuseForeign(field: string, member: ForeignMember | undefined, value: unknown): false {
  if (member === undefined || isEmpty(value) || member.same?.includes(value)) return false
  if (member.to === null) throw new Refusal('field_not_supported', { field })
  throw new Refusal('field_written_elsewhere', { field, to: member.to })
}

/** The member; of an object of a newer console's channels those of its members that are set. */
function withMembers(call: Call, body: unknown, path: string): readonly string[] {
  if (resourceOf(call.path) !== 'channel' || !newerObjects.has(path)) return [path]
  const value = memberAt(body, path)
  const members = membersOf(value)
  if (members === undefined) return isEmpty(value) ? [] : [path]
  return Object.keys(members).flatMap((name) => (isEmpty(members[name]) ? [] : [`${path}.${name}`]))
}

/** The members of an object, or of a text of JSON that is one. */
function membersOf(value: unknown): Json | undefined {
  const members = typeof value === 'string' ? parsed(value) : value
  return isObject(members) ? members : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readers: ReadonlyMap<string, ReadonlySet<string>> = readersByResource()

/** Returns the members that reading calls of each resource return of one record. */
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
  return path.split('.').reduce<unknown>((at, name) => membersOf(at)?.[name], body)
}

const emptyTexts = new Set(['', '{}', '[]', 'null', '0', 'false'])

/** Decides whether a member means the same as its absence: so does an object, or a text of JSON, whose members all do. */
function isEmpty(value: unknown): boolean {
  if (typeof value === 'string' && emptyTexts.has(value.trim())) return true
  if (Array.isArray(value)) return value.length === 0
  const members = membersOf(value)
  return members === undefined ? !value : Object.values(members).every(isEmpty)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const maxNames = 32
const plainName = /^[\w.[\]-]{1,64}$/

/** The value of `X-Tollgate-Warning`: names alone, those of plain characters, and how many others there are. */
export function warningOf(what: string, names: readonly string[]): string {
  const visible = names.filter((name) => plainName.test(name)).slice(0, maxNames)
  const others = names.length - visible.length
  const list = [...visible, ...(others > 0 ? [`${others} more`] : [])]
  return `${what}: ${list.join(', ')}`
}
