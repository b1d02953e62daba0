import type { Selectable } from 'kysely'
import type { Connection } from '../database.ts'
import type { Hold, LedgerEntry, Quota, Seconds } from '../entities.ts'
import { ChargeStatements } from '../flush/flush-statements.ts'
import type { Settlement } from '../settlement.ts'
import type { LedgerRepository, Store } from '../store.ts'
import type { Tables } from '../tables.ts'
import { withStorableTexts } from '../text.ts'

/** Adds to an account, with its entry; `undefined` when there is no such account. */
export type AddToAccount = (
  connection: Connection,
  entry: Omit<LedgerEntry, 'id'>,
) => Promise<Quota | undefined>

type HoldRow = Selectable<Tables['holds']>

interface HoldParts {
  /** Throws for an account that is missing. */
  readonly credit: AddToAccount
  readonly creditIfThere: AddToAccount
  /** What the cause of an end works with. */
  readonly createStoreOn: (transaction: Connection) => Store
}

export function createHoldRepository(
  connection: Connection,
  { credit, creditIfThere, createStoreOn }: HoldParts,
): Pick<LedgerRepository, 'hold' | 'findHold' | 'endHold'> {
  async function takeHold(transaction: Connection, hold: Hold): Promise<void> {
    await transaction.db.insertInto('holds').values(rowsOf(hold)).execute()
    for (const row of rowsOf(hold))
      await credit(transaction, entryOf(row, 'hold', -row.amount, row.created_at))
  }

  async function endHold(
    transaction: Connection,
    id: string,
    at: Seconds,
    charges: ChargeStatements | undefined,
    inTransaction: ((tx: Store) => Promise<void>) | undefined,
  ): Promise<boolean> {
    const { dialect } = transaction
    // A flush takes its locks before those of accounts: in another order the two could wait for each other.
    if (charges !== undefined)
      await transaction.batch(dialect.beforeFlush.map((sql) => ({ sql, parameters: [] })))
    const rows = await transaction.db.deleteFrom('holds').where('id', '=', id).returningAll().execute()
    if (rows.length === 0) return false
    for (const row of usersFirst(rows))
      await creditIfThere(transaction, entryOf(row, 'hold-release', row.amount, at))
    if (charges !== undefined) await transaction.batch([...charges])
    await inTransaction?.(createStoreOn(transaction))
    return true
  }

  return {
    hold: (hold) => connection.transaction((transaction) => takeHold(transaction, hold)),
    async findHold(id) {
      const rows = await connection.db.selectFrom('holds').selectAll().where('id', '=', id).execute()
      return holdOf(usersFirst(rows))
    },
    async endHold(id, at, call, inTransaction) {
      const settlements = call === undefined ? [] : [withStorableTexts<Settlement>({ ...call, seq: 0 })]
      await connection.beforeLogRows(settlements)
      const charges = call === undefined ? undefined : new ChargeStatements([settlements], connection.dialect)
      const ended = await connection.transaction((transaction) =>
        endHold(transaction, id, at, charges, inTransaction),
      )
      if (ended) connection.afterLogRows(charges?.logRows ?? 0)
      return ended
    },
  }
}

function rowsOf({ id, accounts, amount, createdAt }: Hold): HoldRow[] {
  return accounts.map((account) => ({
    id,
    account_kind: account.kind,
    account_id: account.id,
    amount,
    created_at: createdAt,
  }))
}

function holdOf(rows: readonly HoldRow[]): Hold | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  return {
    id: first.id,
    accounts: rows.map((row) => ({
      // Nothing else is written there.
      kind: row.account_kind as Hold['accounts'][number]['kind'],
      id: row.account_id,
    })),
    amount: first.amount,
    createdAt: first.created_at,
  }
}

function entryOf(
  row: HoldRow,
  cause: 'hold' | 'hold-release',
  amount: Quota,
  createdAt: Seconds,
): Omit<LedgerEntry, 'id'> {
  return {
    accountKind: row.account_kind as LedgerEntry['accountKind'],
    accountId: row.account_id,
    cause,
    amount,
    createdAt,
    actorId: 0,
    note: row.id,
  }
}

/** As a flush does: whoever locks accounts locks them in one order. */
function usersFirst(rows: readonly HoldRow[]): HoldRow[] {
  return rows.toSorted((a, b) => b.account_kind.localeCompare(a.account_kind))
}
