import type { SealContext } from '../../../lib/key-ring.ts'
import { type SealedColumn, sealedColumns } from '../../../store/installation/sealed-texts.ts'
import type { Row, Value } from '../../../store/program.ts'
import { isSealContext } from '../../secrets/sealed-place.ts'

/** A row as a line of an export. */
export type OpenRow = Readonly<Record<string, unknown>>

/** Opens a sealed text. */
export type Open = (sealed: string, context: SealContext) => string

/** Columns that are derived from others, or belong to this database alone. */
const inner = new Set(['search_text', 'granted', 'last_grant'])

/** A keyed hash is of no use elsewhere; that of a password is not keyed, and opens the account at another system too. */
const portableHash = 'password_hash'

/** Makes a line of a row. @param open absent where secrets stay out */
export function openRowOf(table: string, row: Row, open: Open | undefined): OpenRow {
  const sealed = sealedColumns.filter((column) => column.table === table)
  const line: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const column = sealed.find((one) => one.column === name && isSealedIn(one, row))
    if (column !== undefined) Object.assign(line, openedColumn(column, row, open))
    else if (isPlain(name, open)) line[name] = value
  }
  return line
}

function isPlain(name: string, open: Open | undefined): boolean {
  if (name === portableHash) return open !== undefined
  return !inner.has(name) && !/_hash$/.test(name)
}

/** Decides whether a text is sealed; a setting is where it is a secret. */
function isSealedIn(column: SealedColumn, row: Row): boolean {
  return isSealContext(column.context(textsOf(row)))
}

function textsOf(row: Row): Readonly<Record<string, string | number>> {
  // Keys of places are texts and numbers.
  return row as Readonly<Record<string, string | number>>
}

function openedColumn(column: SealedColumn, row: Row, open: Open | undefined): OpenRow {
  const text = String(row[column.column] ?? '')
  const context = column.context(textsOf(row))
  if (column.member !== undefined)
    return { [column.column]: openedMember(text, column.member, context, open) }
  if (open === undefined) return {}
  return { [withoutSuffix(column.column)]: openedText(text, context, open) }
}

/** Opens a text; one that no key opens is `null`, so that nobody takes the sealed text for a key. */
function openedText(text: string, context: SealContext, open: Open): Value {
  if (text === '') return ''
  try {
    return open(text, context)
  } catch {
    return null
  }
}

function openedMember(text: string, member: string, context: SealContext, open: Open | undefined): string {
  const value = objectOf(text)
  const sealed = value?.[member]
  if (value === undefined || typeof sealed !== 'string') return text
  const { [member]: _, ...rest } = value
  const opened = open === undefined ? {} : { [withoutSuffix(member)]: openedText(sealed, context, open) }
  return JSON.stringify({ ...rest, ...opened })
}

function objectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function withoutSuffix(name: string): string {
  return name.replace(/_sealed$/, '')
}
