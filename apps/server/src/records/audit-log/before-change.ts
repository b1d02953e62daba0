import {
  type ChannelScheduleBody,
  type ChannelUpdateBody,
  channelScheduleBody,
  channelUpdateBody,
} from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'

type Fields = Readonly<Record<string, unknown>>
type Change = Pick<AuditRecord, 'before' | 'after'>

/** An option in force: its text, and its entries where it is a map. */
export interface OptionNow {
  readonly text: string
  readonly entries: Fields | undefined
}

/**
 * The text of an option as it was before a recorded change: of a map the entries that the change touched alone. Throws `Refusal`
 * where the record does not hold it, or the option was changed again since.
 */
export function optionBefore(now: OptionNow, change: Change): string {
  const [before, after] = [fieldsIn(change.before), fieldsIn(change.after)]
  if (now.entries !== undefined) return JSON.stringify(entriesBefore(now.entries, before, after))
  const [old, changed] = [textIn(before), textIn(after)]
  if (now.text !== changed) throw new Refusal('audit_changed_since')
  return old
}

/** Longer texts are cut in a record. */
const isCut = / characters in all\)$/

function textIn({ value }: Fields): string {
  if (typeof value !== 'string' || isCut.test(value)) throw new Refusal('audit_not_revertible')
  return value
}

/**
 * The texts of options as they were before a recorded change of entries of several, by option. Throws `Refusal` as
 * `optionBefore` does.
 */
export function optionsBefore(
  entriesNow: (key: string) => Fields,
  change: Change,
): readonly (readonly [key: string, text: string])[] {
  const [before, after] = [fieldsIn(change.before), fieldsIn(change.after)]
  return namesOf(before, after).map((key) => {
    const [was, is] = [own(before, key) ?? {}, own(after, key) ?? {}]
    return [key, JSON.stringify(entriesBefore(entriesNow(key), was as Fields, is as Fields))]
  })
}

function entriesBefore(now: Fields, before: Fields, after: Fields): Fields {
  const reverted: Record<string, unknown> = { ...now }
  for (const name of namesOf(before, after)) {
    if (!isSame(own(now, name), own(after, name))) throw new Refusal('audit_changed_since')
    if (Object.hasOwn(before, name)) reverted[name] = before[name]
    else delete reverted[name]
  }
  return reverted
}

/** Fields of a channel that a record has otherwise than its form, or not at all. */
const otherwise: ReadonlySet<string> = new Set(['id', 'base', 'key', 'status', 'models', 'group'])
/** All others are in a record as the form of a channel takes them. */
const plainFields = Object.keys(channelUpdateBody.shape).filter((name) => !otherwise.has(name))
/** A comma list in the form; a record has what it lost and gained. */
const lists = { models: 'models', groups: 'group' } as const
/** Text in place of a password, which no record holds. */
const hiddenPassword = ':***@'

/** Describes a key of a channel in a record: the status and reason that the store has, or `enabled`. */
export interface KeyService {
  /** The parts of the key by which people know it. */
  readonly key: string
  readonly status: 'enabled' | 'disabled' | 'auto-disabled'
  readonly reason: string
  readonly at: number
}

/** Says whether a channel and its keys are in service, and why not, as a record has it. */
export interface ServiceFields {
  /** As on the wire. */
  readonly status?: number
  /** The reason as the store has it. */
  readonly status_reason?: unknown
  /** By the ids of keys. */
  readonly key_states?: Readonly<Record<string, KeyService>>
}

/** Holds what undoes a recorded change of a channel: the body that its form has to send, and the service that it had. */
export interface ChannelBefore {
  readonly body: Omit<ChannelUpdateBody, 'id'>
  readonly service: ServiceFields
}

/**
 * Returns what undoes a recorded change of a channel.
 * @param now the channel as the audit log would record it, with its service
 */
export function channelBefore(now: Fields, change: Change): ChannelBefore {
  const [before, after] = [fieldsIn(change.before), fieldsIn(change.after)]
  if ('keys' in after || change.before === '' || change.after === '')
    throw new Refusal('audit_not_revertible')
  const body: Record<string, unknown> = plainBefore(now, before, after)
  for (const [name, field] of Object.entries(lists))
    if (name in before || name in after) body[field] = listBefore(now[name], before[name], after[name]).join()
  const service = serviceBefore(now, before, after)
  if (Object.keys({ ...body, ...service }).length === 0) throw new Refusal('audit_not_revertible')
  return { body, service }
}

const serviceFields = ['status', 'status_reason', 'key_states'] as const satisfies (keyof ServiceFields)[]

/** Returns the service before a change. A reason may have gone since, as that of a drain does when it ends; later acts on the channel end the undo by themselves. */
function serviceBefore(now: Fields, before: Fields, after: Fields): ServiceFields {
  if ('status' in before && !isSame(now['status'], after['status'])) throw new Refusal('audit_changed_since')
  const [keysNow, keysAfter] = [objectIn(now['key_states']), objectIn(after['key_states'])]
  // A key that is gone has no state.
  const isChanged = (id: string) => Object.hasOwn(keysNow, id) && !isSame(keysNow[id], keysAfter[id])
  if (Object.keys(keysAfter).some(isChanged)) throw new Refusal('audit_changed_since')
  return Object.fromEntries(
    serviceFields.filter((name) => name in before).map((name) => [name, before[name]]),
  )
}

function objectIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

/** Returns the key of a recorded plan, if it is one of a key, and what was planned before it. */
export function planBefore(change: Change) {
  const [before, after] = [fieldsIn(change.before), fieldsIn(change.after)]
  const { key_id: keyId, key } = after
  // Programs of before recorded a key by its hint alone, which several may have.
  const isNamed = typeof keyId === 'string' || key === undefined
  if (change.before === '' || change.after === '' || !isNamed) throw new Refusal('audit_not_revertible')
  const timesBefore = (now: ChannelScheduleBody): ChannelScheduleBody => {
    const times = Object.keys(now).filter((name) => name in before || name in after)
    if (!times.every((name) => isSame(own({ ...now }, name), after[name])))
      throw new Refusal('audit_changed_since')
    return channelScheduleBody.parse({ ...now, ...before })
  }
  return { keyId: typeof keyId === 'string' ? keyId : undefined, timesBefore }
}

function plainBefore(now: Fields, before: Fields, after: Fields): Record<string, unknown> {
  const names = plainFields.filter((name) => name in before)
  if (!names.every((name) => isSame(now[name], after[name]))) throw new Refusal('audit_changed_since')
  if (String(before['param_override']).includes(hiddenPassword)) throw new Refusal('audit_not_revertible')
  return Object.fromEntries(names.map((name) => [name, before[name]]))
}

function listBefore(now: unknown, lost: unknown, gained: unknown): readonly string[] {
  const [names, missing, added] = [namesIn(now), namesIn(lost), namesIn(gained)]
  if (!added.every((name) => names.includes(name)) || missing.some((name) => names.includes(name)))
    throw new Refusal('audit_changed_since')
  return [...names.filter((name) => !added.includes(name)), ...missing]
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function namesOf(...states: readonly Fields[]): readonly string[] {
  return [...new Set(states.flatMap(Object.keys))]
}

/** Reads an own field: a model may have the name of something that every object has. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function fieldsIn(text: string): Fields {
  return text === '' ? {} : (JSON.parse(text) as Fields)
}
