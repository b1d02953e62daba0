import { Kysely } from 'kysely'
import type { Connection, Database } from '../../database.ts'
import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { sqliteDialect } from '../../dialects/sqlite-dialect.ts'
import type { Tables } from '../../schema/tables.ts'
import { createStore, type Store } from '../../store.ts'
import { kyselyOver } from '../connections/kysely-over.ts'
import type { PostgresThread } from '../connections/postgres-requests.ts'
import { writerDialect } from '../connections/sqlite-driver.ts'
import type { SqliteThread } from '../connections/sqlite-requests.ts'
import { DamageWatch } from '../damage.ts'

/** The store as a thread over a file reads it. */
export function storeOverFile({ execute, read }: SqliteThread): Store {
  // Nothing is written here, so nobody waits for the connection.
  const dialect = writerDialect({ acquire: async () => () => undefined, execute })
  return readingStore({ db: new Kysely<Tables>({ dialect }), dialect: sqliteDialect, read })
}

/** The store as a thread over a PostgreSQL server reads it. */
export function storeOverServer({ pool, read }: PostgresThread): Store {
  return readingStore({ db: kyselyOver(pool), dialect: postgresDialect, read })
}

/** Makes a store that writes nothing. The event loop, which gets its errors, looks for damage in them. */
function readingStore(reading: Pick<Connection, 'db' | 'dialect' | 'read'>): Store {
  const database: Database = {
    ...reading,
    damage: new DamageWatch(),
    transaction: refuse,
    batch: refuse,
    flush: refuse,
    coverLogTimes: refuse,
    afterLogRows: () => undefined,
    clearLogRows: refuse,
    rewriteLogRows: refuse,
    upgraded: undefined,
    close: async () => undefined,
  }
  return createStore(database)
}

function refuse(): never {
  throw new Error('a thread that streams writes nothing')
}
