import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

/** An option to store; `null` removes it. */
export interface OptionWrite {
  readonly key: string
  readonly value: string | null
}

/**
 * Settings of the operator, as texts.
 * @param storeOver creates the store for the caller's part of a transaction
 */
export function createOptionRepository<Tx>(
  connection: Connection,
  createStoreOn: (transaction: Connection) => Tx,
) {
  return {
    listAll: (): Promise<{ key: string; value: string }[]> =>
      connection.db.selectFrom('options').selectAll().orderBy('key').execute(),
    /**
     * All of them or none, in one transaction.
     * @param cause runs in the same transaction; what it throws undoes everything
     */
    write: (options: readonly OptionWrite[], cause?: (tx: Tx) => Promise<void>): Promise<void> =>
      connection.transaction(async (transaction) => {
        await cause?.(createStoreOn(transaction))
        await put(transaction, options)
        await remove(transaction, options)
      }),
  }
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

/** Whether the installation is set up. */
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
