import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

export interface StoredOption {
  readonly key: string
  readonly value: string
}

/** An option to store; `null` removes it. */
export interface OptionWrite {
  readonly key: string
  readonly value: string | null
}

/**
 * Settings of the operator, as texts. Options are locked as a whole: requirements hold between them, and one that has its
 * default has no row.
 * @param createStoreOn creates the store for the caller's part of a transaction
 */
export function createOptionRepository<Tx>(
  connection: Connection,
  createStoreOn: (transaction: Connection) => Tx,
) {
  const listIn = ({ db }: Connection): Promise<StoredOption[]> =>
    db.selectFrom('options').selectAll().orderBy('key').execute()
  return {
    listAll: () => listIn(connection),
    /** The same within a transaction, until whose end nobody changes an option. Take it after every lock of a row. */
    async listLocked(): Promise<StoredOption[]> {
      await execute(connection, connection.dialect.besideOptions)
      return await listIn(connection)
    },
    /**
     * Stores what `decide` makes of the options as they are, all or nothing. Changes of all nodes take turns; what `decide` throws
     * undoes everything, with what it wrote by `tx`.
     * @param lock takes the locks of rows that `decide` writes: they come before the options'
     */
    change: (
      decide: (stored: readonly StoredOption[], tx: Tx) => Promise<readonly OptionWrite[]>,
      lock?: (tx: Tx) => Promise<void>,
    ): Promise<void> =>
      connection.transaction(async (transaction) => {
        const tx = createStoreOn(transaction)
        await lock?.(tx)
        await execute(transaction, transaction.dialect.beforeOptions)
        const writes = await decide(await listIn(transaction), tx)
        await put(transaction, writes)
        await remove(transaction, writes)
      }),
  }
}

async function execute({ db }: Connection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

async function put({ db }: Connection, options: readonly OptionWrite[]): Promise<void> {
  const rows = options.flatMap(({ key, value }) =>
    value === null ? [] : [{ key: storableText(key), value: storableText(value) }],
  )
  if (rows.length === 0) return
  await db
    .insertInto('options')
    .values(rows)
    .onConflict((taken) =>
      taken.column('key').doUpdateSet((written) => ({ value: written.ref('excluded.value') })),
    )
    .execute()
}

async function remove({ db }: Connection, options: readonly OptionWrite[]): Promise<void> {
  const keys = options.filter(({ value }) => value === null).map(({ key }) => storableText(key))
  if (keys.length > 0) await db.deleteFrom('options').where('key', 'in', keys).execute()
}

export type OptionRepositoryOf<Tx> = ReturnType<typeof createOptionRepository<Tx>>

/** Repository of the set-up. */
export function createSetupRepository({ db }: Connection) {
  return {
    isDone: () => hasRow(db.selectFrom('setups').select('id')),
    /** Records that setup is done; false when it already was (a race has one winner). */
    markDone: (version: string, at: Seconds): Promise<boolean> =>
      hasRow(
        db
          .insertInto('setups')
          .values({ id: 1, version, initialized_at: at })
          .onConflict((done) => done.doNothing())
          .returning('id'),
      ),
  }
}
export type SetupRepository = ReturnType<typeof createSetupRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    options: { key: string; value: string }
    setups: { id: number; version: string; initialized_at: number }
  }
}
