import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { heldShareTable } from '../../accounts/invitations.ts'
import { oneTimeSecretTable } from '../../accounts/one-time-secrets.ts'
import { passkeyTable } from '../../accounts/passkeys.ts'
import { quotaWarningTable } from '../../accounts/quota-warnings.ts'
import { secondFactorTable } from '../../accounts/second-factors.ts'
import { sessionTable } from '../../accounts/sessions.ts'
import { tokenAccountTable, tokenTable } from '../../accounts/tokens.ts'
import { userAccountTable, userTable } from '../../accounts/users.ts'
import { attemptCountTable } from '../../channels/attempt-counts.ts'
import { channelAccountTable, channelOutcomeTable, channelTable } from '../../channels/channels.ts'
import type { TestDatabase, TestStore } from '../../contract/place.ts'
import { changeTable } from '../../fleet/changes.ts'
import { leaseTable } from '../../fleet/leases.ts'
import { nodeTable } from '../../fleet/nodes.ts'
import { auditRecordTable } from '../../log/audit-log.ts'
import { logTable } from '../../log/index/log-row.ts'
import { usageExportTable } from '../../log/usage-exports.ts'
import { balanceShareTable } from '../../money/balance-shares.ts'
import { correctedChargeTable, correctionSumTable, correctionTable } from '../../money/corrections.ts'
import { journalFindingTable } from '../../money/journal-findings.ts'
import { holdTable, ledgerEntryTable } from '../../money/ledger.ts'
import { redemptionTable } from '../../money/redemptions.ts'
import { topUpOrderTable } from '../../money/top-up-orders.ts'
import type { Store } from '../../store.ts'
import { importedRowTable } from '../../work/imports.ts'
import { incidentTable } from '../../work/incidents.ts'
import { publicIncidentTable } from '../../work/public-incidents.ts'
import { storedItemTable, storedResponseTable } from '../../work/stored-responses.ts'
import { taskTable } from '../../work/tasks.ts'
import { openStore } from '../open/open-store.ts'

const tables = [
  attemptCountTable,
  auditRecordTable,
  balanceShareTable,
  channelAccountTable,
  channelOutcomeTable,
  channelTable,
  correctedChargeTable,
  correctionSumTable,
  correctionTable,
  heldShareTable,
  holdTable,
  importedRowTable,
  incidentTable,
  journalFindingTable,
  leaseTable,
  ledgerEntryTable,
  logTable,
  oneTimeSecretTable,
  passkeyTable,
  publicIncidentTable,
  quotaWarningTable,
  redemptionTable,
  secondFactorTable,
  sessionTable,
  storedItemTable,
  storedResponseTable,
  taskTable,
  tokenAccountTable,
  tokenTable,
  topUpOrderTable,
  usageExportTable,
  userAccountTable,
  userTable,
]

/** Tables that only nodes with a shared database need. */
const fleetTables = { sqlite: [], postgres: [changeTable, nodeTable] }

/** Columns that no entity has. */
const hidden: Readonly<Record<string, readonly string[]>> = {
  users: ['search_text'],
  user_accounts: ['granted', 'last_grant'],
  token_accounts: ['granted', 'last_grant'],
}

/** Types of the database, by the words of a column's declaration. */
const types = {
  sqlite: { integer: 'INTEGER', real: 'REAL', text: 'TEXT' },
  postgres: { integer: 'bigint', real: 'double precision', text: 'text' },
}

const columnsOf = {
  sqlite: (table: string) =>
    `select name, upper(type) as type, "notnull" = 0 and pk = 0 as nullable from pragma_table_info('${table}')`,
  postgres: (table: string) =>
    `select column_name as name, data_type as type, is_nullable = 'YES' as nullable
      from information_schema.columns where table_name = '${table}' and table_schema = current_schema()`,
}

/** Readers of rows by a text that somebody typed. */
const byText: Readonly<Record<string, (store: Store, text: string) => Promise<unknown>>> = {
  'the number of an order': (store, text) => store.topUpOrders.findByTradeNo(text),
  'a number in a list of orders': (store, text) =>
    store.topUpOrders.page({ anyTradeNo: text }, { offset: 0, limit: 1 }),
  'the address of a link': (store, text) => store.oneTimeSecrets.find(text, text),
  'a code': (store, text) => store.redemptions.findByKeyHash(text),
  'a user': (store, text) => store.users.findByLogin(text),
  'a model of margins': (store, text) =>
    store.statistics.margins({ by: 'model', model: text, from: 0, end: 900, limit: 1 }),
  'a name of users': (store, text) => store.users.idsByUsername(text),
}

/** A database is asked for any text without an error. */
export function unstorableTextContract(getStore: () => Store): void {
  describe('a text that no row can have', () => {
    it.each(Object.entries(byText))('is looked for as %s, and not found', async (_, find) => {
      for (const text of ['a\0b', 'half \ud800'])
        expect(JSON.stringify((await find(getStore(), text)) ?? 'nothing')).toMatch(
          /nothing|^\[\]$|"total":0|"rows":\[\]/,
        )
    })
  })
}

/** The schema that the migrations make is the one that the tables declare. */
export function schemaContract(database: TestDatabase): void {
  describe('the schema', () => {
    let testStore: TestStore

    beforeAll(async () => {
      testStore = await database.createTestStore()
      await (await openStore(testStore.config)).close()
    })
    afterAll(() => testStore.remove())

    it.each([...tables, ...fleetTables[database.dialect]].map((table) => [table.name, table] as const))(
      'has the columns of %s as they are declared, and no others',
      async (name, table) => {
        const found = await testStore.sql(columnsOf[database.dialect](name))
        const visible = found
          .filter((column) => !hidden[name]?.includes(String(column['name'])))
          .map(({ name, type, nullable }) => [name, type, Boolean(nullable)])
        const declared = Object.entries(table.columns).map(([column, { type, isNullable }]) => [
          column,
          types[database.dialect][type],
          isNullable,
        ])
        expect(visible.toSorted()).toEqual(declared.toSorted())
      },
    )
  })
}
