import { afterEach, describe, expect, it } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  channelCreateBody,
  channelResource,
  channelUpdateBody,
  redemptionCreateBody,
  redemptionResource,
  tokenResource,
  tokenUpdateBody,
  userCreateBody,
  userResource,
  userUpdateBody,
} from '@tollgate/api'
import { openForeign } from '../../../store/engine/foreign/open-foreign.ts'
import { writeForeignFile } from '../../../store/engine/foreign/test-support/write-file.ts'
import { foreignColumns } from '../declared-columns.ts'
import * as litellm from '../litellm/columns.ts'
import { columnDefaults, columnFates, tableReasons } from './columns.ts'
import { channelRow, optionRow, redemptionRow, tokenRow, topUpRow, userRow } from './tables.ts'
import { type Fates, prepaidQuota, unplacedData } from './unplaced.ts'

const readers = {
  users: userRow,
  tokens: tokenRow,
  channels: channelRow,
  redemptions: redemptionRow,
  top_ups: topUpRow,
  options: optionRow,
}
let folder = ''
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the names reported of a database with these tables, of which each has a row of these values. */
async function namedOf(
  tables: Readonly<Record<string, Readonly<Record<string, string | number | null>>>>,
  fates: Fates = gateways,
): Promise<Readonly<Record<string, number>>> {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-unplaced-'))
  const file = join(folder, 'source.db')
  writeForeignFile(file, tables)
  const database = await openForeign(file)
  const found = [...(await unplacedData(database, fates)), ...(await prepaidQuota(database))]
  await database.close()
  return Object.fromEntries(found.map(({ table, rows }) => [table, rows]))
}

const gateways: Fates = { columnFates, columnDefaults, tableReasons }

const tablesWith = (value: string | number | null, fates: Fates = gateways) =>
  Object.fromEntries(
    Object.entries(fates.columnFates).map(([table, fates]) => [
      table,
      Object.fromEntries(Object.keys(fates).map((column) => [column, value])),
    ]),
  )

describe('cells of the source', () => {
  it.each([
    ['one-api and new-api', gateways],
    ['LiteLLM', litellm],
  ] as const)('of %s are read, measured anew, or named by table, column and count', async (_, fates) => {
    const named = Object.entries(fates.columnFates).flatMap(([table, columns]) =>
      Object.entries(columns).flatMap(([column, fate]) =>
        fate !== 'taken' && 'named' in fate ? [[`${table}.${column}`, 1]] : [],
      ),
    )
    expect(named).not.toEqual([])
    expect(await namedOf(tablesWith('7', fates), fates)).toEqual(Object.fromEntries(named))
  })

  it('that are taken are in what reads the row', () => {
    for (const [table, fates] of Object.entries(columnFates))
      for (const [column, fate] of Object.entries(fates))
        if (fate === 'taken')
          expect([table, Object.keys(readers[table as keyof typeof readers].shape)]).toEqual([
            table,
            expect.arrayContaining([column]),
          ])
  })

  it.each([null, '', 0, 'false', '{}', '[]'])('are not named at a default (%p)', async (value) => {
    expect(await namedOf(tablesWith(value))).toEqual({})
  })

  it('are named in columns and tables that nobody has read yet', async () => {
    const tables = { channels: { id: 1, colour: 'red', shade: '' }, moods: { id: 1 } }
    expect(await namedOf(tables)).toEqual({ moods: 1, 'channels.colour': 1 })
  })

  it.each(Object.keys(tableReasons))('are named with their table %s', async (table) => {
    expect(await namedOf({ [table]: { id: 1 } })).toEqual({ [table]: 1 })
  })

  it('name the prepaid quota that subscriptions have left', async () => {
    const row = { id: 1, status: 'active', amount_total: 10_000_000, amount_used: 5 }
    const found = await namedOf({ user_subscriptions: row })
    expect(found).toEqual({ user_subscriptions: 1, 'user_subscriptions.amount_total': 1 })
  })
})

/** Fields that calls write here and those gateways have no column for, with what an import makes of them. */
const notThere: Readonly<Record<string, string>> = {
  'users.quota_change': 'moves the balance, which is taken as quota',
  'users.reason': 'said of a change',
  'channels.mode': 'one row is one channel',
}
const stated = new Set(['id', 'base'])

describe('a field that calls write', () => {
  const bodies = {
    users: [userCreateBody, userUpdateBody],
    tokens: [tokenUpdateBody],
    channels: [channelCreateBody, channelUpdateBody],
    redemptions: [redemptionCreateBody],
  }

  it('has a column whose fate is known, or a reason why there is none', () => {
    const written = Object.entries(bodies).flatMap(([table, shapes]) =>
      shapes.flatMap(({ shape }) => Object.keys(shape).map((field) => [table, field] as const)),
    )
    const unknown = written
      .filter(([, field]) => !stated.has(field))
      .filter(([table, field]) => columnFates[table]?.[field] === undefined)
      .map(([table, field]) => `${table}.${field}`)
    const missing = unknown.filter((name) => !Object.hasOwn(notThere, name))
    expect(missing.map((name) => `${name}: the import does not know it; ${columnsFile}`)).toEqual([])
    expect(Object.keys(notThere).filter((name) => !unknown.includes(name))).toEqual([])
  })
})

describe('a column that has no place here', () => {
  it('is no field that a resource declares', () => {
    const declared = {
      channels: channelResource,
      users: userResource,
      tokens: tokenResource,
      redemptions: redemptionResource,
    }
    const stale = Object.entries(declared).flatMap(([table, resource]) =>
      foreignColumns(resource)
        .filter((name) => columnFates[table]?.[name] !== undefined && columnFates[table][name] !== 'taken')
        .map((name) => `${table}.${name}: declared, and has no place; ${columnsFile}`),
    )
    expect(stale).toEqual([])
  })
})

const columnsFile = 'apps/server/src/operations/import/gateways/columns.ts'
