import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { logTable } from '../log-index/log-row.ts'
import { openStore } from '../open/open-store.ts'
import { attemptCountTable } from '../repositories/attempt-counts.ts'
import { auditRecordTable } from '../repositories/audit-log.ts'
import { balanceShareTable } from '../repositories/balance-shares.ts'
import { changeTable } from '../repositories/changes.ts'
import { channelAccountTable, channelOutcomeTable, channelTable } from '../repositories/channels.ts'
import { correctedChargeTable, correctionSumTable, correctionTable } from '../repositories/corrections.ts'
import { importedRowTable } from '../repositories/imports.ts'
import { heldShareTable } from '../repositories/invitations.ts'
import { journalFindingTable } from '../repositories/journal-findings.ts'
import { leaseTable } from '../repositories/leases.ts'
import { holdTable, ledgerEntryTable } from '../repositories/ledger.ts'
import { nodeTable } from '../repositories/nodes.ts'
import { oneTimeSecretTable } from '../repositories/one-time-secrets.ts'
import { passkeyTable } from '../repositories/passkeys.ts'
import { quotaWarningTable } from '../repositories/quota-warnings.ts'
import { redemptionTable } from '../repositories/redemptions.ts'
import { secondFactorTable } from '../repositories/second-factors.ts'
import { sessionTable } from '../repositories/sessions.ts'
import { storedItemTable, storedResponseTable } from '../repositories/stored-responses.ts'
import { taskTable } from '../repositories/tasks.ts'
import { tokenAccountTable, tokenTable } from '../repositories/tokens.ts'
import { topUpOrderTable } from '../repositories/top-up-orders.ts'
import { usageExportTable } from '../repositories/usage-exports.ts'
import { userAccountTable, userTable } from '../repositories/users.ts'
import type { TestDatabase, TestStore } from './place.ts'

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
  journalFindingTable,
  leaseTable,
  ledgerEntryTable,
  logTable,
  oneTimeSecretTable,
  passkeyTable,
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

/** What only nodes that share a database need. */
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

/** The schema that the migrations make is the one that the tables declare. */
export function schemaContract(database: TestDatabase): void {
  describe('the schema', () => {
    let place: TestStore

    beforeAll(async () => {
      place = await database.createTestStore()
      await (await openStore(place.config)).close()
    })
    afterAll(() => place.remove())

    it.each([...tables, ...fleetTables[database.dialect]].map((table) => [table.name, table] as const))(
      'has the columns of %s as they are declared, and no others',
      async (name, table) => {
        const found = await place.sql(columnsOf[database.dialect](name))
        const shown = found
          .filter((column) => !hidden[name]?.includes(String(column['name'])))
          .map(({ name, type, nullable }) => [name, type, Boolean(nullable)])
        const declared = Object.entries(table.columns).map(([column, { type, isNullable }]) => [
          column,
          types[database.dialect][type],
          isNullable,
        ])
        expect(shown.toSorted()).toEqual(declared.toSorted())
      },
    )
  })
}
