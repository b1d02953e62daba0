import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bare, bareSchema, snakeCase } from '@tollgate/api'
import { z } from 'zod'
import { openStore } from './open-store.ts'
import { storedRedemption, storedToken } from './records.ts'

let dataDir: string
let database: Database

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tollgate-schema-'))
  const store = await openStore({ dataDir, logger: { warn: () => undefined } })
  await store.close()
  database = new Database(join(dataDir, 'tollgate.db'), { readonly: true })
})
afterAll(() => {
  database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
}

/** Columns of the migrated tables by their names; the tables of one record share the id. */
function migrated(...tables: string[]): ReadonlyMap<string, Column> {
  const columns = tables.flatMap((table) =>
    database
      .query<{ name: string; type: string; notnull: number; pk: number }, []>(`pragma table_info(${table})`)
      .all()
      .map(({ name, type, notnull, pk }) => ({ name, type, nullable: notnull === 0 && pk === 0 })),
  )
  return new Map(columns.map((column) => [column.name, column]))
}

function declared(record: z.ZodObject): ReadonlyMap<string, Column> {
  const columns = Object.entries(record.shape).map(([field, schema]) => columnOf(snakeCase(field), schema))
  return new Map(columns.map((column) => [column.name, column]))
}

function columnOf(name: string, marked: z.core.$ZodType): Column {
  const schema: Bare<z.ZodType> = bareSchema(marked as z.ZodType)
  if (schema instanceof z.ZodCodec) {
    const inner = bareSchema(schema.def.out as z.ZodType)
    return inner instanceof z.ZodEnum ? { name, type: 'integer', nullable: false } : columnOf(name, inner)
  }
  if (schema instanceof z.ZodNullable) return { ...columnOf(name, schema.unwrap()), nullable: true }
  const isText = schema instanceof z.ZodString || schema instanceof z.ZodArray
  return { name, type: isText ? 'text' : 'integer', nullable: false }
}

const sorted = (columns: ReadonlyMap<string, Column>) =>
  [...columns.values()]
    .map(({ type, ...column }) => ({ ...column, type: /int/i.test(type) ? 'integer' : type.toLowerCase() }))
    .toSorted((a, b) => a.name.localeCompare(b.name))

describe('the migrated schema', () => {
  it.each([
    ['tokens', storedToken, ['tokens', 'token_accounts']],
    ['redemptions', storedRedemption, ['redemptions']],
  ] as const)('has the columns that the record of %s declares, and no others', (_, record, tables) => {
    expect(sorted(migrated(...tables))).toEqual(sorted(declared(record)))
  })
})
