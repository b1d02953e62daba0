import type { z } from 'zod'
import type { NamedCall } from '../../../packages/api/src/test-support/call-of.ts'
import type { WrittenField } from '../../../packages/api/src/test-support/written-fields.ts'

export type Values = Readonly<Record<string, unknown>>

/** Response of a console call. */
export interface Reply {
  readonly success: boolean
  readonly message: string
  readonly code?: string
  readonly data?: unknown
}

/** The console calls of a running gateway as one person makes them, or of a fake. */
export interface Door {
  call(method: string, path: string, body?: unknown): Promise<Reply>
}

/** A resource whose written fields are looked for wherever it is read. */
export interface Resource {
  readonly name: string
  /** The contract: the resource's readers are the calls that return most of what `record` has. */
  readonly calls: readonly NamedCall[]
  readonly record: z.ZodType
  /** Beginnings of its calls' paths; a new record is made at the first. */
  readonly roots: readonly [string, ...string[]]
  readonly door: Door
  /** Writer, where they are not the reader. */
  readonly writer?: () => Door
  /** The member that records are told apart by; `id` by default. */
  readonly key?: string
  /** Reader of the views of one's own; without one nobody reads them. */
  readonly owner?: () => Door
  /** A call that returns everything about a record, in whatever form. */
  readonly exports?: string
  /** The audit log's word for it, and for fields that it names otherwise; without one nobody but its owner changes it. */
  readonly audit?: { readonly kind: string; readonly names?: Readonly<Record<string, string>> }
  /** Meaning of null in an update that takes it. */
  readonly null: 'keeps' | 'clears'
  /** Files in which a fault of a reader is mended. */
  readonly files: { readonly write: string; readonly read: string; readonly audit?: string }
}

/** Key of a resource: its id, or the name that distinguishes it. */
export type Key = number | string

/** A call that writes fields of a record. */
export interface Write {
  readonly call: string
  /** Query of the call, where it has one. */
  readonly query?: string
  /** Returns the values beside the written field. */
  readonly beside?: (id: Key, path: string, stored: Values) => Values
  /** The fields that it walks; all of the body without a list. */
  readonly only?: readonly string[]
  readonly leaves?: readonly string[]
  /** The record's name of a field that the body names otherwise. */
  readonly as?: Readonly<Record<string, string>>
  /** Two values of fields that have rules beyond their schema. */
  readonly values?: Readonly<Record<string, readonly [unknown, unknown]>>
  /** Readers of a record's value, where that is not the written one. */
  readonly reads?: Readonly<Record<string, (value: unknown) => unknown>>
  /** Fields that are never read back. */
  readonly unread?: readonly string[]
  /** Entries of the audit log in place of a value: `action` is the record's own, any other a member of the later state. */
  readonly audits?: Readonly<Record<string, (value: unknown) => readonly [name: string, value: unknown]>>
  /** Other members of the record that follow from a written one. */
  readonly moves?: Readonly<Record<string, readonly string[]>>
  readonly null?: Resource['null']
  /** Values that an empty text leaves where they are not the default of a new record; `keeps` leaves the former ones. */
  readonly empty?: Values
}

/** Says in one line which field is wrong, for which reader, and where that is mended. */
export function finding({ name }: Pick<Resource, 'name'>, path: string, what: string, file: string): string {
  return `${name}.${path}: ${what}; ${file}`
}

/** A call that writes, with the fields of its body. */
export interface Parts {
  readonly write: Write
  readonly method: string
  readonly path: string
  readonly body: z.ZodType
  readonly fields: readonly WrittenField[]
  /** Members that are texts of JSON. */
  readonly inText: ReadonlySet<string>
}

/** The record's name of a written field. */
export function nameIn(write: Write, path: string): string {
  return write.as?.[path] ?? path
}

/** Decides whether a path is one of the resource's. */
export function isUnder({ roots }: Resource, path: string): boolean {
  return roots.some((root) => path.startsWith(root))
}
