import { setImmediate as turn } from 'node:timers/promises'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Session } from '../database.ts'
import { drainStatements, loggedOf } from '../drain/drain-statements.ts'
import type { AccountKind, LedgerEntry, Quota } from '../entities.ts'
import { BatchRefusedError } from '../errors.ts'
import {
  AccountUnknownError,
  type DrainBatch,
  JournalPositionError,
  type LedgerRepository,
} from '../store.ts'
import type { LedgerEntryRow, Tables } from '../tables.ts'
import { type Fields, integer, readEntity, text, writeColumns } from './fields.ts'

/** Where an account's balance stands, as SQL. A channel owes what was spent through it. */
const accounts = {
  user: { table: 'users', balance: sql<Quota>`quota`, column: 'quota', sign: 1 },
  token: { table: 'tokens', balance: sql<Quota>`remain_quota`, column: 'remain_quota', sign: 1 },
  channel: { table: 'channels', balance: sql<Quota>`-used_quota`, column: 'used_quota', sign: -1 },
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

export function createLedgerRepository(session: Session): LedgerRepository {
  const { db, words } = session
  return {
    async balanceOf(kind, id) {
      const { table, balance } = accounts[kind]
      const found = await sql<{
        balance: Quota
      }>`select ${balance} as balance from ${sql.table(table)} where id = ${id}`.execute(db)
      return found.rows[0]?.balance
    },
    credit: (entry) => session.transaction((transaction) => credit(transaction, entry)),
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
    async journalPosition(node) {
      const position = db.selectFrom('journal_positions').select('seq').where('node', '=', node)
      return (await position.executeTakeFirst())?.seq ?? 0
    },
    async drain(batch) {
      if (batch.settlements.length === 0) return
      const logged = loggedOf(batch.settlements)
      await session.beforeLogRows(logged)
      const statements = await madeInTurns(drainStatements(batch, logged, words))
      await refusingPosition(batch, () => session.batch(statements))
      session.afterLogRows(logged.length)
    },
  }
}

/** Lets the event loop turn between two pieces: calls should not wait for a large batch to be written down. */
async function madeInTurns<Piece>(pieces: Iterable<Piece>): Promise<Piece[]> {
  const made: Piece[] = []
  for (const piece of pieces) {
    made.push(piece)
    await turn()
  }
  return made
}

async function credit({ db }: Session, entry: Omit<LedgerEntry, 'id'>): Promise<Quota> {
  const { table, balance, column, sign } = accounts[entry.accountKind]
  const changed = await sql<{ balance: Quota }>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + ${sign * entry.amount}
    where id = ${entry.accountId} returning ${balance} as balance`.execute(db)
  const [account] = changed.rows
  if (account === undefined)
    throw new AccountUnknownError(`there is no ${entry.accountKind} ${entry.accountId}`)
  await db
    .insertInto('ledger_entries')
    .values(writeColumns<LedgerEntry, Selectable<LedgerEntryRow>>(entryFields, entry))
    .execute()
  return account.balance
}

async function refusingPosition({ node, after }: DrainBatch, drain: () => Promise<void>): Promise<void> {
  try {
    await drain()
  } catch (error) {
    if (!(error instanceof BatchRefusedError)) throw error
    throw new JournalPositionError(`the journal of ${node} is not at ${after} in the database`, {
      cause: error,
    })
  }
}
