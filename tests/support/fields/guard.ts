import type { z } from 'zod'
import { recordMembers } from '../../../packages/api/src/index.ts'
import {
  distinctValues,
  type WrittenField,
  writtenFields,
} from '../../../packages/api/src/test-support/written-fields.ts'
import { wrongEmpties } from './empty-values.ts'
import { headOf, isWithin, membersOf, valueAt, withValue } from './field-paths.ts'
import { type Records, readAll, readersOf } from './readers.ts'
import {
  finding,
  isUnder,
  type Key,
  nameIn,
  type Parts,
  type Reply,
  type Resource,
  type Values,
  type Write,
} from './resource.ts'

/** File in which a field with rules of its own gets its values. */
const samples = 'tests/support/fields/walks.ts'

/**
 * Writes the fields of a resource and looks for them at every reader.
 * @param walked gets each field that was walked, as `<call> <field>`
 */
export function createGuard(resource: Resource, walked: Set<string> = new Set()) {
  const { door, writer = () => door, files } = resource
  const readers = readersOf(resource)
  const members = writableMembers(resource)
  let lastAudit = 0
  let stored: Values = {}

  async function read(id: Key): Promise<Records> {
    const records = await readAll(readers, id)
    stored = [...records.values()][0] ?? {}
    return records
  }

  function partsOf(write: Write): Parts {
    const { call } = resource.calls.find(({ name }) => name === write.call) ?? refuseUnknown(write.call)
    const body = call.body as z.ZodType
    const all = writtenFields(body)
    const fields = all.filter(
      ({ path }) => (write.only?.includes(path) ?? true) && !write.leaves?.includes(path),
    )
    for (const { path } of fields) walked.add(`${write.call} ${path}`)
    const inText = new Set(all.filter(({ schema }) => schema === undefined).map(({ path }) => headOf(path)))
    return { write, method: call.method, path: call.path, body, fields, inText }
  }

  /** Makes the call with these values; returns what was sent, too. */
  async function send({ write, method, path, inText }: Parts, id: Key, values: Values) {
    const beside = write.beside?.(id, Object.keys(values)[0] ?? '', stored) ?? {}
    const body = Object.entries(values).reduce<Values>(
      (made, [at, value]) => withValue(made, at, value, inText),
      beside,
    )
    const target = path.replace(':id', String(id)) + (write.query ?? '')
    return { body, reply: await writer().call(method, target, body) }
  }

  function notRead({ write }: Parts, path: string, value: unknown, records: Records): string[] {
    if (write.unread?.includes(path)) return []
    const at = nameIn(write, path)
    const expected = readOf(write, path, value)
    return [...records].flatMap(([reader, record]) =>
      Bun.deepEquals(valueAt(record, at), expected)
        ? []
        : [finding(resource, at, `not in the read-back of ${reader}`, files.read)],
    )
  }

  async function notExported({ write }: Parts, id: Key, path: string, value: unknown): Promise<string[]> {
    const isTelling = String(value).length > 3 && typeof value !== 'boolean'
    if (resource.exports === undefined || write.unread?.includes(path) || !isTelling) return []
    const text = JSON.stringify(await door.call('GET', resource.exports.replace(':id', String(id))))
    if (isWithin(value, text)) return []
    return [finding(resource, nameIn(write, path), `not in GET ${resource.exports}`, files.read)]
  }

  /** Returns the written values that the audit log lacks, in a record that is newer than the last. */
  async function notAudited({ write }: Parts, values: Values): Promise<string[]> {
    const { audit } = resource
    if (audit === undefined) return []
    const { data } = await door.call('GET', `/api/audit_log/?p=1&page_size=1&target_kind=${audit.kind}`)
    const [row] = (data as { readonly items: readonly AuditRow[] }).items
    const stated: Values = row !== undefined && row.id > lastAudit ? sayingsOf(row) : {}
    lastAudit = row?.id ?? lastAudit
    return Object.entries(values).flatMap(([path, value]) => {
      const at = nameIn(write, path)
      const says = write.audits?.[path]
      if (says === undefined && write.unread?.includes(path)) return []
      const [name, text] = says?.(value) ?? [audit.names?.[headOf(at)] ?? headOf(at), value]
      if (name in stated && isWithin(text, JSON.stringify(stated[name]))) return []
      return [finding(resource, at, `not in the audit entry of ${write.call}`, files.audit ?? files.write)]
    })
  }

  /** Members that a call of one field has changed besides. */
  function strayed({ write }: Parts, path: string, before: Records, after: Records): string[] {
    const at = nameIn(write, path)
    const own = new Set([headOf(at), ...(write.moves?.[path] ?? [])])
    // A body that names one member of a record's text leaves the others of it.
    const beside = path.includes('.') ? [] : siblingsOf(at, after)
    return [...members, ...beside]
      .filter((member) => !own.has(member))
      .flatMap((member) =>
        [...after].flatMap(([reader, record]) =>
          Bun.deepEquals(valueAt(before.get(reader), member), valueAt(record, member))
            ? []
            : [
                finding(
                  resource,
                  member,
                  `changed by ${write.call} of ${path} alone in ${reader}`,
                  files.write,
                ),
              ],
        ),
      )
  }

  async function walkOne(parts: Parts, id: Key, field: WrittenField): Promise<string[]> {
    const { write } = parts
    const { path } = field
    const before = await read(id)
    const value = nextValue(write, field, before)
    if (value === undefined) return [finding(resource, path, `${write.call} needs two values of it`, samples)]
    const { reply } = await send(parts, id, { [path]: value })
    if (!reply.success) return [finding(resource, path, refusalOf(write, value, reply), samples)]
    const after = await read(id)
    return [
      ...notRead(parts, path, value, after),
      ...(await notAudited(parts, { [path]: value })),
      // An export is an act of its own in the audit log.
      ...(await notExported(parts, id, path, value)),
      ...strayed(parts, path, before, after),
      ...(await wrongEmpties({ resource, readers, parts, id, field, value, send })),
    ]
  }

  return {
    readers: readers.map(({ name }) => name),

    /** Makes a record with every field set. */
    async create(write: Write, idOf: (data: unknown) => Key | Promise<Key> = idIn) {
      const parts = partsOf(write)
      const entries = parts.fields.map((field) => [field.path, valuesOf(write, field)?.[0]] as const)
      const values = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
      const { reply } = await send(parts, 0, values)
      if (!reply.success) throw new Error(`${refusalOf(write, values, reply)}; ${samples}`)
      const id = await idOf(reply.data)
      // A value that a new record has anyway would be found where it is lost.
      const idle = entries.filter(([path, value]) => Bun.deepEquals(value, defaultOf(parts.body, path)))
      return {
        id,
        async findings(): Promise<string[]> {
          const records = await read(id)
          return [
            ...idle.map(([path]) =>
              finding(resource, path, `${write.call} needs a value that is not its default`, samples),
            ),
            ...Object.entries(values).flatMap(([path, value]) => notRead(parts, path, value, records)),
            ...(await notAudited(parts, values)),
          ]
        },
      }
    },

    /** Writes each field alone, and empties it. */
    async update(write: Write, id: Key): Promise<readonly string[]> {
      const parts = partsOf(write)
      const found: string[] = []
      for (const field of parts.fields) found.push(...(await walkOne(parts, id, field)))
      return found
    },
  }
}

/** The other members of the text or object that a member is in. */
function siblingsOf(path: string, records: Records): readonly string[] {
  const head = headOf(path)
  if (head === path) return []
  const names = [...records.values()].flatMap((record) => membersOf(valueAt(record, head)))
  return [...new Set(names)].map((name) => `${head}.${name}`).filter((name) => name !== path)
}

interface AuditRow {
  readonly id: number
  readonly action: string
  readonly after: string
}

function sayingsOf({ action, after }: AuditRow): Values {
  return { ...(after === '' ? {} : (JSON.parse(after) as Values)), action }
}

function readOf(write: Write, path: string, value: unknown): unknown {
  return write.reads?.[path]?.(value) ?? value
}

function valuesOf(write: Write, field: WrittenField): readonly [unknown, unknown] | undefined {
  return write.values?.[field.path] ?? distinctValues(field)
}

/** The value that the record does not have; the second of a field that is not read. */
function nextValue(write: Write, field: WrittenField, records: Records): unknown {
  const values = valuesOf(write, field)
  if (write.unread?.includes(field.path)) return values?.[1]
  const current = valueAt([...records.values()][0], nameIn(write, field.path))
  return values?.find((value) => !Bun.deepEquals(readOf(write, field.path, value), current))
}

function refusalOf({ call }: Write, value: unknown, { message }: Reply): string {
  return `${call} refuses ${JSON.stringify(value)} (${message}), it needs values of its own`
}

/** Members of the record that some call writes. */
function writableMembers(resource: Resource): readonly string[] {
  const { calls, record } = resource
  const written = calls
    .filter(({ call }) => isUnder(resource, call.path) && call.body !== undefined)
    .flatMap(({ call }) => writtenFields(call.body as z.ZodType).map(({ path }) => headOf(path)))
  return recordMembers(record).filter((member) => written.includes(member))
}

/** Returns the value that a body without the field means. */
function defaultOf(body: z.ZodType, path: string): unknown {
  const schema = (body as z.ZodObject).shape[path] as z.ZodType | undefined
  return schema?.safeParse(undefined).data
}

function idIn(data: unknown): number {
  return (data as { readonly id: number }).id
}

function refuseUnknown(call: string): never {
  throw new Error(`the contract has no call ${call}`)
}
