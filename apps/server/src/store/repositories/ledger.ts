import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { AccountKind, LedgerEntry, Quota } from '../entities.ts'
import { BatchRefusedError } from '../errors.ts'
import type { FlushRequest } from '../settlement.ts'
import { AccountUnknownError, JournalPositionError, type LedgerRepository, type Store } from '../store.ts'
import type { LedgerEntryRow, Tables } from '../tables.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'
import { createHoldRepository } from './holds.ts'

/** Where an account's balance stands, as SQL. A channel owes what was spent through it. */
const accounts = {
  user: { table: 'user_accounts', balance: sql<Quota>`quota`, column: 'quota', sign: 1 },
  token: { table: 'token_accounts', balance: sql<Quota>`remain_quota`, column: 'remain_quota', sign: 1 },
  channel: { table: 'channel_accounts', balance: sql<Quota>`-used_quota`, column: 'used_quota', sign: -1 },
} as const satisfies Record<
  AccountKind,
  { table: keyof Tables; balance: RawBuilder<Quota>; column: string; sign: 1 | -1 }
>

const entryFields: Fields<LedgerEntry> = {
  id: integer('id'),
  accountKind: text('account_kind') as Fields<LedgerEntry>['accountKind'],
  accountId: integer('account_id'),
  cause: text('cause') as Fields<LedgerEntry>['cause'],
  amount: integer('amount'),
  createdAt: integer('created_at'),
  actorId: integer('actor_id'),
  note: text('note'),
}

/** @param storeOver what a credit's cause works with */
export function createLedgerRepository(
  connection: Connection,
  createStoreOn: (transaction: Connection) => Store,
): LedgerRepository {
  const { db, dialect } = connection

  async function balancesOf(kind: AccountKind, ids: readonly number[]): Promise<ReadonlyMap<number, Quota>> {
    const { table, balance } = accounts[kind]
    const found = await sql<{ id: number; balance: Quota }>`
      select id, ${balance} as balance from ${sql.table(table)} where ${dialect.isOneOf('id', ids)}`.execute(
      db,
    )
    return new Map(found.rows.map((row) => [row.id, row.balance]))
  }

  return {
    async balanceOf(kind, id) {
      return (await balancesOf(kind, [id])).get(id)
    },
    balancesOf,
    credit: (entry, cause) =>
      connection.transaction(async (transaction) => {
        await cause?.(createStoreOn(transaction))
        return await credit(transaction, entry)
      }),
    async list(kind, id, limit) {
      const rows = await db
        .selectFrom('ledger_entries')
        .selectAll()
        .where('account_kind', '=', kind)
        .where('account_id', '=', id)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => readEntity(entryFields, row))
    },
    ...createHoldRepository(connection, { credit, creditIfThere, createStoreOn }),
    async journalPosition(node) {
      const position = db.selectFrom('journal_positions').select('seq').where('node', '=', node)
      return (await position.executeTakeFirst())?.seq ?? 0
    },
    async flush(request) {
      if (request.batches.length === 0) return
      const logRows = await refusingPosition(request, () => connection.flush(request))
      connection.afterLogRows(logRows)
    },
    async databaseId() {
      const { id } = await db.selectFrom('database_identity').select('id').executeTakeFirstOrThrow()
      return id
    },
  }
}

async function credit(connection: Connection, entry: Omit<LedgerEntry, 'id'>): Promise<Quota> {
  const balance = await creditIfThere(connection, entry)
  if (balance === undefined)
    throw new AccountUnknownError(`there is no ${entry.accountKind} ${entry.accountId}`)
  return balance
}

async function creditIfThere(
  { db, dialect }: Connection,
  entry: Omit<LedgerEntry, 'id'>,
): Promise<Quota | undefined> {
  for (const statement of dialect.makeDurable) await sql.raw(statement).execute(db)
  const { table, balance, column, sign } = accounts[entry.accountKind]
  const changed = await sql<{ balance: Quota }>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + ${sign * entry.amount}
    where id = ${entry.accountId} returning ${balance} as balance`.execute(db)
  const [account] = changed.rows
  if (account === undefined) return undefined
  await db
    .insertInto('ledger_entries')
    .values(writeColumns<LedgerEntry, Selectable<LedgerEntryRow>>(entryFields, entry))
    .execute()
  return account.balance
}

async function refusingPosition<Result>(
  { node, after }: FlushRequest,
  flush: () => Promise<Result>,
): Promise<Result> {
  try {
    return await flush()
  } catch (error) {
    if (!(error instanceof BatchRefusedError)) throw error
    throw new JournalPositionError(`the journal of ${node} is not at ${after} in the database`, {
      cause: error,
    })
  }
}
