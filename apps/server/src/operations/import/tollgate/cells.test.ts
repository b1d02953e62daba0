import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { createEventBus } from '../../../lib/async/event-bus.ts'
import type { Vault } from '../../../lib/crypto.ts'
import { createLogger } from '../../../lib/logger.ts'
import { createSettings } from '../../../settings/create-settings.ts'
import type { ChangeEvents } from '../../../store/change-events.ts'
import { fleetTables } from '../../../store/engine/copy/carried-tables.ts'
import { Database } from '../../../store/engine/copy/test-support/raw-database.ts'
import { openStore } from '../../../store/engine/open/open-store.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import { openVault } from '../../secrets/open-vault.ts'
import { TakenIds } from '../import-context.ts'
import { runImport } from '../run-import.ts'
import { columnFates, tableReasons } from './columns.ts'
import { openSourceInstallation } from './open-database.ts'
import {
  apiKey,
  type Cell,
  type Cells,
  codeText,
  insert,
  now,
  root,
  rows,
  secretHere,
  secretThere,
} from './test-support/filled-installation.ts'
import { openTollgateSource } from './tollgate-source.ts'

setDefaultTimeout(deadline(60_000))

const logger = createLogger('silent')
/** Columns of which the source has nothing that could be elsewhere: what is deleted or never used up is left out or stays. */
const untaken: Readonly<Record<string, string>> = {
  'users.id': 'new',
  'tokens.id': 'new',
  'channels.id': 'new',
  'redemptions.id': 'new',
  'top_up_orders.id': 'new',
  'tasks.id': 'new',
  'users.deleted_at': 'deleted accounts are left out',
  'tokens.deleted_at': 'deleted keys are left out',
  'redemptions.deleted_at': 'deleted codes are left out',
  'tasks.finished_ms': 'a finished task has no hold',
}

let folder: string
let report: readonly string[]
let vaultHere: Vault
let source: Database
let target: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-cells-'))
  const [from, into] = [join(folder, 'from'), join(folder, 'into')]
  for (const directory of [from, into]) {
    mkdirSync(directory)
    const store = await openStore({ dataDir: directory, logger })
    const secret = directory === from ? secretThere : secretHere
    const { vault } = await openVault({ secret, former: undefined, source: 'file' }, store.identity)
    if (directory === into) vaultHere = vault
    await store.close()
  }
  writeFileSync(join(from, 'secret.key'), secretThere)
  source = new Database(join(from, 'tollgate.db'))
  for (const [table, cells] of rows) insert(source, table, cells)
  for (const table of Object.keys(tableReasons))
    if (hasTable(table) && countIn(table) === 0) insert(source, table, { id: 1 })
  target = new Database(join(into, 'tollgate.db'))
  insert(target, 'users', { id: root, username: 'root', role: 100, status: 1, search_text: 'root' })
  insert(target, 'user_accounts', { id: root })
  report = await importInto(from, into)
})
afterAll(() => {
  source.close()
  target.close()
  rmSync(folder, { recursive: true, force: true })
})

const hasTable = (table: string) =>
  source.query('select 1 from sqlite_schema where name = ?').get(table) !== null
const countIn = (table: string) =>
  (source.query(`select count(*) as n from "${table}"`).get() as { n: number }).n

async function importInto(from: string, into: string): Promise<readonly string[]> {
  const installation = await openSourceInstallation({ address: from, secret: undefined, logger })
  const imported = await openTollgateSource(installation)
  const store = await openStore({ dataDir: into, logger })
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const settings = await createSettings({ options: store.options, vault: vaultHere, bus, logger })
  const name = imported.identity ?? ''
  const choices = { asRoot: false, isConfirmed: true }
  try {
    const { lines } = await runImport({
      ...{ ...choices, name, source: imported, store, settings, vault: vaultHere, now },
      ids: new TakenIds(name),
    })
    return lines
  } finally {
    await imported.close()
    await store.close()
  }
}

const ofKind = {
  user: 'users',
  token: 'tokens',
  channel: 'channels',
  code: 'redemptions',
  order: 'top_up_orders',
  task: 'tasks',
} as const

/** The id here of a row there. */
function idHere(kind: keyof typeof ofKind, id: Cell | undefined): Cell {
  if (id === 0 || id === null || id === undefined) return id ?? 0
  const row = target
    .query('select target_id as id from imported_rows where kind = ? and source_id = ?')
    .get(kind, String(id)) as { id: number } | null
  if (row === null) throw new Error(`${kind} ${id} was not taken`)
  return row.id
}

/** Columns that name a row of another table. */
const references: Readonly<Record<string, keyof typeof ofKind>> = {
  user_id: 'user',
  inviter_id: 'user',
  invitee_id: 'user',
  creator_id: 'user',
  used_user_id: 'user',
  admin_id: 'user',
  gift_inviter_id: 'user',
  token_id: 'token',
  channel_id: 'channel',
}

/** Finds the row here of a row in another table. */
function rowHere(table: string, row: Cells): Cells | null {
  const kind = Object.entries(ofKind).find(([, name]) => name === table)?.[0] as
    | keyof typeof ofKind
    | undefined
  const accounts = { user_accounts: 'user', token_accounts: 'token', channel_accounts: 'channel' } as const
  const owner = kind ?? accounts[table as keyof typeof accounts]
  if (owner !== undefined) return one(table, 'id', idHere(owner, row['id'] ?? null))
  if (table === 'options') return one(table, 'key', row['key'] ?? '')
  if (table === 'holds') return one(table, 'account_kind', row['account_kind'] ?? '')
  const column = table === 'held_invitation_shares' ? 'invitee_id' : 'user_id'
  return one(table, column, idHere('user', row[column] ?? null))
}

const one = (table: string, column: string, value: Cell) =>
  target.query(`select * from "${table}" where "${column}" = ?`).get(value) as Cells | null

/** Returns the expected cell here of a cell there. */
function expectedOf(table: string, column: string, row: Cells, here: Cells): Cell {
  const origin = `${table}.${column}`
  const reference = references[column]
  if (reference !== undefined) return idHere(reference, row[column])
  switch (origin) {
    case 'user_accounts.id':
    case 'token_accounts.id':
    case 'channel_accounts.id':
      return here['id'] ?? null
    case 'holds.account_id':
      return idHere(row['account_kind'] === 'user' ? 'user' : 'token', row[column])
    case 'holds.id':
    case 'tasks.hold_id':
      return one('tasks', 'upstream_id', 'song-1')?.['hold_id'] ?? ''
    case 'tokens.key_hash':
      return vaultHere.hash(apiKey)
    case 'redemptions.key_hash':
      return vaultHere.hash(codeText)
    case 'tasks.key_hash':
      return vaultHere.hash('key-two')
    default:
      return row[column] ?? null
  }
}

/** Sealed here for its own row: the same text, which opens here alone. */
function openedHere(table: string, column: string, here: Cells): string | undefined {
  const sealed = String(here[column])
  const id = Number(here['id'])
  switch (`${table}.${column}`) {
    case 'tokens.key_sealed':
      return vaultHere.open(sealed, sealContexts.tokenKey(String(here['key_hash'])))
    case 'redemptions.key_sealed':
      return vaultHere.open(sealed, sealContexts.redemptionCode(String(here['key_hash'])))
    case 'channels.keys_sealed':
      return vaultHere.open(sealed, sealContexts.channelKeys(id))
    case 'second_factors.secret_sealed':
      return vaultHere.open(sealed, sealContexts.secondFactor(Number(here['user_id'])))
    case 'options.value':
      return here['key'] === 'SMTPToken'
        ? vaultHere.open(sealed, sealContexts.option('SMTPToken'))
        : undefined
    default:
      return undefined
  }
}

const sealedTexts: readonly string[] = [apiKey, codeText, 'key-one\nkey-two', 'TOTPSECRET', 'mail-secret']

function expectTaken(table: string, column: string, row: Cells): void {
  const here = rowHere(table, row)
  if (here === null) throw new Error(`no row of ${table} is here`)
  const opened = openedHere(table, column, here)
  if (opened === undefined) expect(here[column] ?? null).toEqual(expectedOf(table, column, row, here))
  else expect(sealedTexts).toContain(opened)
}

const takenColumns = Object.entries(columnFates).flatMap(([table, fates]) =>
  Object.entries(fates)
    .filter(([column, fate]) => fate === 'taken' && untaken[`${table}.${column}`] === undefined)
    .map(([column]) => [table, column] as const),
)

describe('cells of another Tollgate', () => {
  it('have a fate each: every table and column of the schema', () => {
    const tables = source
      .query<{ name: string }, []>(
        "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
      )
      .all()
    for (const { name } of tables) {
      const fates = columnFates[name]
      if (fates === undefined) expect(Object.keys(tableReasons)).toContain(name)
      else {
        const columns = source
          .query<{ name: string }, [string]>('select name from pragma_table_info(?)')
          .all(name)
        expect([name, Object.keys(fates).toSorted()]).toEqual([
          name,
          columns.map((column) => column.name).toSorted(),
        ])
      }
    }
    expect(Object.keys(tableReasons)).toEqual(expect.arrayContaining(Object.keys(fleetTables)))
  })

  it.each(takenColumns)('%s.%s is here what it is there', (table, column) => {
    const filled = rows.filter(([name, cells]) => name === table && column in cells)
    expect(filled).not.toEqual([])
    for (const [, row] of filled) expectTaken(table, column, row)
  })

  for (const [table, fates] of Object.entries(columnFates))
    for (const [column, fate] of Object.entries(fates))
      if (fate !== 'taken' && 'named' in fate)
        it(`${table}.${column} is named`, () => {
          expect(report).toContain(`${table}.${column}: 1 read, not taken: ${fate.named}`)
        })

  // A fleet's tables stand in a database of PostgreSQL only.
  for (const [table, why] of Object.entries(tableReasons).filter(([name]) => !(name in fleetTables)))
    it(`${table} is named with its rows`, () => {
      const rowsThere = countIn(table)
      expect(rowsThere).toBeGreaterThan(0)
      expect(report).toContain(`${table}: ${rowsThere} read, not taken: ${why}`)
    })
})
