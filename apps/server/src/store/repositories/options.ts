import type { Connection } from '../database.ts'
import type { OptionRepository, OptionWrite, Store } from '../store.ts'
import { storableText } from '../text.ts'

/** @param storeOver what a write's cause works with */
export function createOptionRepository(
  connection: Connection,
  createStoreOn: (transaction: Connection) => Store,
): OptionRepository {
  return {
    listAll: () => connection.db.selectFrom('options').selectAll().orderBy('key').execute(),
    write: (options, cause) =>
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
