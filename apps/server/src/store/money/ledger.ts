import { type RawBuilder, sql } from 'kysely'
import type { Connection } from '../database.ts'
import { AccountUnknownError, BalanceRangeError, BatchRefusedError, JournalPositionError } from '../errors.ts'
import { accountKinds } from '../log/rows/charge-sums.ts'
import { defineTable, type EntityOf, generatedId, integer, type RowOf, text } from '../schema/table.ts'
import { withStorableTexts } from '../schema/text.ts'
import type { AccountKind, FlushRequest, JournalSpan, Settlement } from '../settlement.ts'
import type { Quota, Seconds } from '../units.ts'
import { type BalanceShareRepository, createBalanceShareRepository } from './balance-shares.ts'
import type { CreditCause } from './credit-cause.ts'
import { ChargeStatements } from './flush/flush-statements.ts'

/** A move of an account's balance for another reason than a charge. */
export const ledgerEntryTable = defineTable('ledger_entries', {
  id: generatedId(),
  accountKind: text<AccountKind>(),
  accountId: integer(),
  cause: text<CreditCause>(),
  amount: integer(),
  createdAt: integer(),
  /** The actor; 0 for the system. */
  actorId: integer(),
  note: text(),
})
export type LedgerEntry = EntityOf<typeof ledgerEntryTable>

/** A charge taken in advance for work that outlives a process. It is ended once, by a charge or without one. */
export interface Hold {
  /** Chosen by the caller that takes the hold. */
  readonly id: string
  /** Each was debited with the full amount. */
  readonly accounts: readonly { readonly kind: Exclude<AccountKind, 'channel'>; readonly id: number }[]
  readonly amount: Quota
  readonly createdAt: Seconds
}

/** A row for each account of a hold; the hold is open while they are there. */
export const holdTable = defineTable('holds', {
  id: text(),
  accountKind: text<Hold['accounts'][number]['kind']>(),
  accountId: integer(),
  amount: integer(),
  createdAt: integer(),
})
type HoldRow = EntityOf<typeof holdTable>

/** The store of balances, their entries, holds and the journal position. `Tx` is the store within a transaction. */
export interface LedgerRepositoryOf<Tx> {
  /** Absent where one node has the whole of every balance. */
  readonly shares?: BalanceShareRepository
  /** Balance fields as stored: user → quota, token → remain quota, channel → minus its used quota. */
  balanceOf(kind: AccountKind, id: number): Promise<Quota | undefined>
  /** The same for many, by id. */
  balancesOf(kind: AccountKind, ids: readonly number[]): Promise<ReadonlyMap<number, Quota>>
  /**
   * Adds `amount` (may be negative) to the account and writes the entry, in one transaction, which survives a power cut
   * of the database's host once this returns. Returns the new stored balance; throws `AccountUnknownError` when there
   * is no such account, `BalanceRangeError` when the balance would be beyond what a number holds.
   * @param cause runs first in the same transaction; when it throws, everything rolls back
   */
  credit(entry: Omit<LedgerEntry, 'id'>, cause?: (tx: Tx) => Promise<void>): Promise<Quota>
  /**
   * Credits what the balance lacks to be as given at that moment, or debits what it has beyond it. Does as `credit` does
   * otherwise.
   * @param balance by the journal position of a node, which has paid for everything up to there
   */
  setBalance(
    entry: Omit<LedgerEntry, 'id' | 'amount'>,
    balance: { readonly node: string; readonly balanceAt: (position: number) => Quota },
    cause?: (tx: Tx) => Promise<void>,
  ): Promise<Quota>
  /** Newest first. */
  list(kind: AccountKind, id: number, limit: number): Promise<LedgerEntry[]>
  /**
   * Debits every account of a hold, each with an entry of cause `hold`, and stores the hold, in one transaction. Throws
   * `DuplicateError` for the id of an open hold, `AccountUnknownError` when an account is missing.
   * @param payer the node from whose shares it is debited, where nodes have shares
   */
  hold(hold: Hold, payer?: string): Promise<void>
  /** An open hold. */
  findHold(id: string): Promise<Hold | undefined>
  /**
   * Ends a hold: refunds its amount (entries of cause `hold-release`) and, with `call`, charges or logs that call as a flush
   * would, in one transaction. False, and changes nothing, when the hold has ended.
   * @param inTransaction runs in the same transaction when the hold is open; when it throws, everything rolls back
   */
  endHold(
    id: string,
    at: Seconds,
    call?: Omit<Settlement, 'seq'>,
    inTransaction?: (tx: Tx) => Promise<void>,
  ): Promise<boolean>
  /**
   * Makes sure that no account gets one of these ids from now on: calls of accounts that this database, an older copy, never had.
   * Returns how many of the accounts it does not have.
   */
  passAccountIds(ids: Readonly<Record<AccountKind, ReadonlySet<number>>>): Promise<number>
  /** Journal position of a node: the last sequence number whose effects are in the database; 0 when none. */
  journalPosition(node: string): Promise<number>
  /** Reads which entries of these starts of nodes are in the database, however long ago it took them. */
  journalSpans(runs: readonly string[]): Promise<readonly JournalSpan[]>
  /**
   * One transaction: log rows, user/token/channel counters, hourly charges, rollups, journal position. Refuses (throws
   * `JournalPositionError`) when the stored position is not `request.after`, or the database has one of the entries: exactly
   * once.
   */
  flush(request: FlushRequest): Promise<void>
  /** Random id of the database, by which a journal recognizes it. A backup of the database has the same one. */
  databaseId(): Promise<string>
}

/** The columns of balances. A channel's balance is minus the quota spent through it. */
const accounts = {
  user: { table: 'user_accounts', balance: sql<Quota>`quota`, column: 'quota', sign: 1 },
  token: { table: 'token_accounts', balance: sql<Quota>`remain_quota`, column: 'remain_quota', sign: 1 },
  channel: { table: 'channel_accounts', balance: sql<Quota>`-used_quota`, column: 'used_quota', sign: -1 },
} as const satisfies Record<AccountKind, unknown>

/** The tables that give accounts their ids. */
const identified = { user: 'users', token: 'tokens', channel: 'channels' } as const satisfies Record<
  AccountKind,
  string
>

/** @param createStoreOn creates the store for the caller's part of a transaction */
export function createLedgerRepository<Tx>(
  connection: Connection,
  createStoreOn: (transaction: Connection) => Tx,
): LedgerRepositoryOf<Tx> {
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
    ...(dialect.kind === 'postgres' && { shares: createBalanceShareRepository(connection) }),
    async balanceOf(kind, id) {
      return (await balancesOf(kind, [id])).get(id)
    },
    balancesOf,
    credit: (entry, cause) =>
      connection.transaction(async (transaction) => {
        await cause?.(createStoreOn(transaction))
        return await credit(transaction, entry)
      }),
    setBalance: (entry, { node, balanceAt }, cause) =>
      connection.transaction(async (transaction) => {
        await cause?.(createStoreOn(transaction))
        const stored = await lockBalance(transaction, entry.accountKind, entry.accountId)
        const balance = balanceAt(await journalPosition(transaction, node))
        return await credit(transaction, { ...entry, amount: balance - stored })
      }),
    list: (kind, id, limit) =>
      ledgerEntryTable.all(
        db
          .selectFrom('ledger_entries')
          .selectAll()
          .where('account_kind', '=', kind)
          .where('account_id', '=', id)
          .orderBy('id', 'desc')
          .limit(limit),
      ),
    hold: (hold, payer) => connection.transaction((transaction) => takeHold(transaction, hold, payer)),
    async findHold(id) {
      return holdOf(await holdTable.all(db.selectFrom('holds').selectAll().where('id', '=', id)))
    },
    async endHold(id, at, call, inTransaction) {
      const settlements = call === undefined ? [] : [withStorableTexts<Settlement>({ ...call, seq: 0 })]
      let logRows = 0
      const ended = await connection.transaction(async (transaction) => {
        // They are iterated over once, and a transaction may run again.
        const charges = call === undefined ? undefined : new ChargeStatements([settlements], dialect)
        if (!(await releaseHold(transaction, id, at, charges))) return false
        logRows = charges?.logRows ?? 0
        await inTransaction?.(createStoreOn(transaction))
        return true
      })
      if (ended) connection.afterLogRows(logRows)
      return ended
    },
    journalPosition: (node) => journalPosition(connection, node),
    journalSpans: (runs) => connection.read('readJournalSpans', runs),
    async passAccountIds(ids) {
      let unknown = 0
      for (const kind of accountKinds) {
        const named = [...ids[kind]].filter((id) => id > 0)
        const largest = named.reduce((max, id) => Math.max(max, id), 0)
        unknown += named.length - (await balancesOf(kind, named)).size
        for (const statement of dialect.passIds(identified[kind], largest))
          await sql.raw(statement).execute(db)
      }
      return unknown
    },
    async flush(request) {
      if (request.batches.length === 0) return
      connection.afterLogRows(await flushAt(connection, request))
    },
    async databaseId() {
      const { id } = await db.selectFrom('database_identity').select('id').executeTakeFirstOrThrow()
      return id
    },
  }
}

type NewEntry = Omit<LedgerEntry, 'id'>

async function credit(connection: Connection, entry: NewEntry): Promise<Quota> {
  const balance = await creditIfThere(connection, entry)
  if (balance === undefined)
    throw new AccountUnknownError(`there is no ${entry.accountKind} ${entry.accountId}`)
  return balance
}

/** The largest balance: beyond it numbers are rounded. */
const maxBalance = Number.MAX_SAFE_INTEGER

/**
 * Adds to an account, with the entry; `undefined` when there is no such account. Every balance is written here or lowered by a
 * charge, so here alone it is kept within what a number holds.
 * @throws BalanceRangeError
 */
async function creditIfThere(connection: Connection, entry: NewEntry): Promise<Quota | undefined> {
  const { db, dialect } = connection
  for (const statement of dialect.makeDurable) await sql.raw(statement).execute(db)
  const balance = Number.isSafeInteger(entry.amount) ? await add(connection, entry) : undefined
  if (balance === undefined) {
    await refuseOutOfRange(connection, entry)
    return undefined
  }
  await db.insertInto('ledger_entries').values(ledgerEntryTable.insertion(entry)).execute()
  return balance
}

/** The new balance; `undefined`, without a change, when there is no such account or the amount does not fit. */
async function add({ db }: Connection, entry: NewEntry): Promise<Quota | undefined> {
  const { table, balance, column, sign } = accounts[entry.accountKind]
  const changed = await sql<{ balance: Quota }>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + ${sign * entry.amount}
    where id = ${entry.accountId} and ${fits(entry)} returning ${balance} as balance`.execute(db)
  return changed.rows[0]?.balance
}

/**
 * Returns the condition that an amount fits the balance. The amounts of open holds come back and keep their room; ending a hold is
 * never refused.
 */
function fits({ accountKind, accountId, amount, cause }: NewEntry): RawBuilder<boolean> {
  const { balance } = accounts[accountKind]
  if (cause === 'hold-release') return sql`1 = 1`
  if (amount < 0) return sql`${balance} >= ${-maxBalance - amount}`
  const held = sql`(select coalesce(sum(amount), 0) from holds
    where account_kind = ${accountKind} and account_id = ${accountId})`
  return sql`${balance} + ${held} <= ${maxBalance - amount}`
}

/** Refuses an amount out of range after nothing was written; a missing account is not the amount's fault. */
async function refuseOutOfRange(
  { db }: Connection,
  { accountKind, accountId, amount }: NewEntry,
): Promise<void> {
  const { table, balance, column } = accounts[accountKind]
  const { rows } = await sql<{ balance: Quota }>`
    select ${balance} as balance from ${sql.table(table)} where id = ${accountId}`.execute(db)
  if (rows[0] !== undefined) throw new BalanceRangeError(column, rows[0].balance, amount)
}

/** The balance, which no other transaction changes before this one ends. */
async function lockBalance({ db, dialect }: Connection, kind: AccountKind, id: number): Promise<Quota> {
  const { table, balance } = accounts[kind]
  const { rows } = await sql<{ balance: Quota }>`
    select ${balance} as balance from ${sql.table(table)} where id = ${id} ${sql.raw(dialect.lockRow)}`.execute(
    db,
  )
  const [account] = rows
  if (account === undefined) throw new AccountUnknownError(`there is no ${kind} ${id}`)
  return account.balance
}

async function journalPosition({ db }: Connection, node: string): Promise<number> {
  const position = db.selectFrom('journal_positions').select('seq').where('node', '=', node)
  return (await position.executeTakeFirst())?.seq ?? 0
}

/** Returns how many log rows the flush added. */
async function flushAt(connection: Connection, request: FlushRequest): Promise<number> {
  try {
    return await connection.flush(request)
  } catch (cause) {
    if (!(cause instanceof BatchRefusedError)) throw cause
    const { node, after } = request
    throw new JournalPositionError(
      `the journal of ${node} is not at ${after} in the database, or the database has some of the calls`,
      { cause },
    )
  }
}

async function takeHold(
  transaction: Connection,
  { accounts: held, ...hold }: Hold,
  payer: string | undefined,
): Promise<void> {
  const rows = held.map(({ kind, id }) => ({ ...hold, accountKind: kind, accountId: id }))
  await transaction.db
    .insertInto('holds')
    .values(rows.map((row) => holdTable.insertion(row)))
    .execute()
  for (const row of rows) {
    await credit(transaction, entryOf(row, 'hold', -row.amount, row.createdAt))
    if (payer !== undefined)
      await createBalanceShareRepository(transaction).giveBack(payer, row.accountKind, [
        { id: row.accountId, amount: row.amount },
      ])
  }
}

/** Adds the charges and refunds a hold, in the order of a flush; false when the hold does not exist. */
async function releaseHold(
  transaction: Connection,
  id: string,
  at: Seconds,
  charges: ChargeStatements | undefined,
): Promise<boolean> {
  const { db, dialect } = transaction
  // A flush takes its locks before those of accounts: another order here could deadlock.
  if (charges !== undefined)
    await transaction.batch(dialect.beforeFlush.map((sql) => ({ sql, parameters: [] })))
  const rows = await holdTable.all(db.deleteFrom('holds').where('id', '=', id).returningAll())
  if (rows.length > 0 && charges !== undefined) await transaction.batch([...charges])
  for (const row of usersFirst(rows))
    await creditIfThere(transaction, entryOf(row, 'hold-release', row.amount, at))
  return rows.length > 0
}

function holdOf(rows: readonly HoldRow[]): Hold | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const { id, amount, createdAt } = first
  const accounts = usersFirst(rows).map(({ accountKind, accountId }) => ({
    kind: accountKind,
    id: accountId,
  }))
  return { id, accounts, amount, createdAt }
}

function entryOf(row: HoldRow, cause: CreditCause, amount: Quota, createdAt: Seconds): NewEntry {
  const { id, accountKind, accountId } = row
  return { accountKind, accountId, cause, amount, createdAt, actorId: 0, note: id }
}

/** Sorts holds in the order in which a flush locks accounts. */
function usersFirst(rows: readonly HoldRow[]): HoldRow[] {
  return rows.toSorted((a, b) => b.accountKind.localeCompare(a.accountKind))
}

declare module '../schema/tables.ts' {
  interface Tables {
    ledger_entries: RowOf<typeof ledgerEntryTable>
    ledger_charges: {
      hour: number
      account_kind: string
      account_id: number
      amount: number
      calls: number
      cost: number
    }
    holds: RowOf<typeof holdTable>
    /** One row. */
    database_identity: { id: string }
    journal_positions: { node: string; seq: number }
  }
}
