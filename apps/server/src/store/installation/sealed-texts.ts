import { type RawBuilder, sql } from 'kysely'
import type { SealContext } from '../../lib/key-ring.ts'
import type { Connection } from '../database.ts'
import { sealContexts } from './sealed-places.ts'

type Key = readonly (string | number)[]
type Found = Readonly<Record<string, string | number>>

export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The columns of a unique key, by which rows are gone through. */
  readonly key: readonly string[]
  /** Columns that name the place, beside those of the key. */
  readonly also?: readonly string[]
  readonly where?: RawBuilder<unknown>
  /** The member that is sealed, where the column holds a JSON object. */
  readonly member?: string
  context(row: Found): SealContext
}

/** Every column that has sealed texts. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'channels',
    column: 'keys_sealed',
    key: ['id'],
    context: ({ id }) => sealContexts.channelKeys(Number(id)),
  },
  {
    table: 'options',
    column: 'value',
    key: ['key'],
    context: ({ key }) => sealContexts.option(String(key)),
  },
  {
    table: 'second_factors',
    column: 'secret_sealed',
    key: ['user_id'],
    context: (row) => sealContexts.secondFactor(Number(row['user_id'])),
  },
  {
    table: 'one_time_secrets',
    column: 'data',
    key: ['purpose', 'subject'],
    also: ['user_id'],
    where: sql`purpose = 'second-factor-begun'`,
    context: (row) => sealContexts.secondFactor(Number(row['user_id'])),
  },
  {
    table: 'users',
    column: 'setting',
    key: ['id'],
    where: sql`setting like '%"webhook_secret_sealed"%'`,
    member: 'webhook_secret_sealed',
    context: ({ id }) => sealContexts.webhookSecret(Number(id)),
  },
  {
    table: 'tokens',
    column: 'key_sealed',
    key: ['id'],
    also: ['key_hash'],
    context: (row) => sealContexts.tokenKey(String(row['key_hash'])),
  },
  {
    table: 'redemptions',
    column: 'key_sealed',
    key: ['id'],
    also: ['key_hash'],
    context: (row) => sealContexts.redemptionCode(String(row['key_hash'])),
  },
  {
    table: 'stored_responses',
    column: 'sealed',
    key: ['user_id', 'token_id', 'id'],
    context: (row) =>
      sealContexts.storedResponse({
        userId: Number(row['user_id']),
        tokenId: Number(row['token_id']),
        id: String(row['id']),
      }),
  },
  {
    table: 'failed_calls',
    column: 'sealed',
    key: ['request_id'],
    context: (row) => sealContexts.failedCall(String(row['request_id'])),
  },
]

/** A sealed text, by the column and row that hold it. */
export interface SealedText {
  readonly context: SealContext
  readonly sealed: string
  /** Stores another text in its place; false when it was changed or deleted meanwhile. */
  replace(sealed: string): Promise<boolean>
}

/** Position at which a search for sealed texts continues; absent at its end. */
export interface SealedCursor {
  readonly column: number
  readonly after?: Key
}

const start: SealedCursor = { column: 0 }

function columnAfter(column: number): SealedCursor | undefined {
  return column + 1 < sealedColumns.length ? { column: column + 1 } : undefined
}

interface SealedBatch {
  /** Each reads its text at the time of the call; `undefined` when it is gone. */
  readonly texts: readonly (() => Promise<SealedText | undefined>)[]
  /** Absent when every row was seen. */
  readonly next: SealedCursor | undefined
}

/** Goes through every sealed text, some rows at a time. */
export function createSealedTextRepository({ db }: Connection) {
  const fieldsOf = ({ key, also = [] }: SealedColumn) =>
    sql.join([...key, ...also].map((name) => sql.ref(name)))

  async function textOf(column: SealedColumn, key: Key): Promise<SealedText | undefined> {
    const own = sql.join(
      column.key.map((name, index) => sql`${sql.ref(name)} = ${key[index]}`),
      sql` and `,
    )
    const { rows } = await sql<Found & { text: string }>`
      select ${fieldsOf(column)}, ${sql.ref(column.column)} as "text" from ${sql.table(column.table)} where ${own}
      `.execute(db)
    const [row] = rows
    if (row === undefined) return undefined
    const part = partOf(row.text, column.member)
    if (part.sealed === '') return undefined
    return {
      context: column.context(row),
      sealed: part.sealed,
      async replace(sealed) {
        const { numAffectedRows } = await sql`
          update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${part.with(sealed)}
          where ${own} and ${sql.ref(column.column)} = ${row.text}`.execute(db)
        return Number(numAffectedRows ?? 0) > 0
      },
    }
  }

  return {
    /**
     * Looks at the next `limit` rows at most.
     * @param prefix texts that begin with it are left out
     * @param from where the former look ended; the beginning by default
     */
    async nextWithout(prefix: string, limit: number, from: SealedCursor = start): Promise<SealedBatch> {
      const column = sealedColumns[from.column]
      if (column === undefined) return { texts: [], next: undefined }
      const order = sql.join(column.key.map((name) => sql.ref(name)))
      const later = from.after === undefined ? sql`1 = 1` : sql`(${order}) > (${sql.join(from.after)})`
      const head =
        column.member === undefined
          ? sql`substr(${sql.ref(column.column)}, 1, ${sql.lit(prefix.length)})`
          : sql.ref(column.column)
      const { rows } = await sql<Found & { head: string }>`
        select ${fieldsOf(column)}, ${head} as "head" from ${sql.table(column.table)}
        where ${later} and ${column.where ?? sql`1 = 1`} order by ${order} limit ${limit}`.execute(db)
      const keyOf = (row: Found): Key => column.key.map((name) => row[name] ?? '')
      const due = rows.filter((row) => !partOf(row.head, column.member).sealed.startsWith(prefix))
      const last = rows.at(-1)
      return {
        texts: due.map((row) => () => textOf(column, keyOf(row))),
        next:
          rows.length < limit || last === undefined
            ? columnAfter(from.column)
            : { column: from.column, after: keyOf(last) },
      }
    },
  }
}

/** The sealed part of a column's text, and the text with another one. */
function partOf(text: string, member: string | undefined) {
  if (member === undefined) return { sealed: text, with: (sealed: string) => sealed }
  const value: unknown = parsed(text)
  if (typeof value !== 'object' || value === null) return { sealed: '', with: () => text }
  const sealed = (value as Record<string, unknown>)[member]
  return {
    sealed: typeof sealed === 'string' ? sealed : '',
    with: (other: string) => JSON.stringify({ ...value, [member]: other }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type SealedTextRepository = ReturnType<typeof createSealedTextRepository>
