import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Tables } from '../../schema/tables.ts'
import { DamageWatch } from '../damage.ts'
import { fromPostgres } from './postgres-errors.ts'
import type { PooledConnection } from './postgres-pool.ts'

/** Connection as Kysely uses it. */
export type QueryConnection = Pick<PooledConnection, 'query' | 'release'>

interface QueryPool {
  connect(): Promise<QueryConnection>
  end(): Promise<void>
}

/** Kysely over a pool, with the store's errors. */
export function kyselyOver(pool: QueryPool, damage = new DamageWatch()): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new StoreDialect({ pool: translating(pool, damage) }) })
}

class StoreDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new StoreAdapter()
  }
}

/**
 * A migration has the lock of its transaction. Kysely's own would set `lock_timeout` to an hour, and its release, which fails in
 * a transaction that failed, would hide why it did.
 */
class StoreAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** The pool as Kysely sees it, with the store's errors. */
function translating(pool: QueryPool, damage: DamageWatch): PostgresPool {
  const wrapped = new WeakMap<QueryConnection, PostgresPoolClient>()
  return {
    options: {},
    async connect() {
      const connection = await translated(pool.connect(), damage)
      const known = wrapped.get(connection) ?? translatingClient(connection, damage)
      wrapped.set(connection, known)
      return known
    },
    end: () => pool.end(),
  }
}

function translatingClient(connection: QueryConnection, damage: DamageWatch): PostgresPoolClient {
  const query = (sql: string, parameters: readonly unknown[]) =>
    translated(connection.query(sql, parameters), damage)
  return {
    // Kysely also lists cursors as something to query; they are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: () => connection.release(),
  }
}

async function translated<Result>(work: Promise<Result>, damage: DamageWatch): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw damage.seen(fromPostgres(error))
  }
}
