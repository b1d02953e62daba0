import type { z } from 'zod'
import {
  accountRefusedFields,
  channelRefusedFields,
  mailRefusedFields,
  walletRefusedFields,
} from '../../../packages/api/src/errors/refused-fields.ts'
import type { WrittenField } from '../../../packages/api/src/test-support/written-fields.ts'
import { headOf, valueAt } from './field-paths.ts'
import { type Reader, type Records, readAll } from './readers.ts'
import { finding, type Key, nameIn, type Parts, type Reply, type Resource, type Values } from './resource.ts'

interface Emptied {
  readonly resource: Resource
  readonly readers: readonly Reader[]
  readonly parts: Parts
  readonly id: Key
  readonly field: WrittenField
  /** Current value of the field. */
  readonly value: unknown
  send(parts: Parts, id: Key, values: Values): Promise<{ readonly body: Values; readonly reply: Reply }>
}

/**
 * Finds wrong effects of null and an empty text on a field, beside what is declared: they clear it or leave it, or are refused by its
 * name.
 */
export async function wrongEmpties(emptied: Emptied): Promise<string[]> {
  const { parts, field, value } = emptied
  const isWhole = field.schema !== undefined && !field.path.includes('.')
  if (!isWhole || parts.write.unread?.includes(field.path)) return []
  const found: string[] = []
  for (const empty of typeof value === 'string' ? ([null, ''] as const) : [null])
    found.push(...(await wrongEmpty(emptied, empty)))
  return found
}

async function wrongEmpty(emptied: Emptied, empty: null | ''): Promise<string[]> {
  const { resource, readers, parts, id, field, value, send } = emptied
  const { path } = field
  const at = nameIn(parts.write, path)
  const fault = (what: string) => [finding(resource, at, `${parts.write.call} ${what}`, resource.files.write)]
  const before = await readAll(readers, id)
  const { body, reply } = await send(parts, id, { [path]: empty })
  const text = JSON.stringify(empty)
  if (!reply.success)
    return isFair(reply, path) ? [] : fault(`refuses ${text} without naming it: ${reply.message}`)
  const after = await readAll(readers, id)
  await send(parts, id, { [path]: value })
  if (!parts.body.safeParse(body).success) return fault(`takes ${text}, and its schema does not`)
  return changedOtherwise(emptied, empty, before, after).flatMap(([reader, left]) =>
    fault(`leaves ${JSON.stringify(left)} for ${text} in ${reader}`),
  )
}

/** The readers that have another value than the declared one, with it. */
function changedOtherwise(
  { resource, parts, field }: Emptied,
  empty: null | '',
  before: Records,
  after: Records,
) {
  const { write } = parts
  const at = nameIn(write, field.path)
  const keepsNull = empty === null && (write.null ?? resource.null) === 'keeps'
  const declared =
    write.empty !== undefined && field.path in write.empty ? write.empty[field.path] : blankOf(resource, at)
  return [...after].flatMap(([reader, record]) => {
    const isStored = keepsNull || declared === 'keeps'
    const expected = isStored ? valueAt(before.get(reader), at) : declared
    const left = valueAt(record, at)
    return Bun.deepEquals(left, expected) ? [] : [[reader, left] as const]
  })
}

/** Returns the value of a new record whose body leaves the field out. */
function blankOf({ calls, roots: [root] }: Resource, path: string): unknown {
  const create = calls.find(({ call }) => call.path === root && call.method === 'POST')
  const schema = (create?.call.body as z.ZodObject | undefined)?.shape[path] as z.ZodType | undefined
  return schema?.safeParse(undefined).data ?? ''
}

const positions: Readonly<Record<string, unknown>> = {
  ...channelRefusedFields,
  ...accountRefusedFields,
  ...walletRefusedFields,
  ...mailRefusedFields,
}

/** Decides whether a refusal names its field, in its sentence or by its code, or says that nothing would change. */
function isFair({ message, code = '' }: Reply, path: string): boolean {
  const name = headOf(path)
  return message.includes(name) || positions[code] === name || code.endsWith('_no_changes')
}
