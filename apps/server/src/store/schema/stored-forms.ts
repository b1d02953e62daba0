import { type Kysely, sql } from 'kysely'
import type { Connection } from '../database.ts'
import { nodeKeyOf, nodeLocks, takeLock } from '../dialects/postgres-locks.ts'
import type { SqlDialect } from '../dialects/sql-dialect.ts'
import type { Tables } from './tables.ts'

/**
 * Migration from which on programs read the new stored forms:
 * - sealed texts name their key and are bound to their place (`lib/key-ring.ts`),
 * - access tokens are rows of a table of their own.
 * Until every live node reads them, the former forms are written: sealed texts that name no key, and the column of `users`
 * beside the table.
 */
const readersOfStoredForms = '0010-secret-rotation'

/** The oldest program that works on a schema whose stored forms are the former ones. */
const readersOfFormerForms = '0003-fleet'

/** A node that is silent for longer is gone. */
const goneMs = 10_000

/** Connections of a node are named by it; those of a command are no node's. PostgreSQL keeps so much of a name. */
const nodePrefix = 'tollgate '
const commandConnection = 'tollgate shell'
const maxNameLength = 63

/** Decides by the database's record whether it has the stored forms: no program that cannot read them starts on it. */
export function writesStoredForms(oldestProgram: string): boolean {
  return oldestProgram !== '' && oldestProgram !== readersOfFormerForms
}

/**
 * Raises the oldest program that may run to the first that reads the stored forms, unless a node lives that reads the former ones
 * alone. Runs under the lock of migrations: a program that starts has looked before, and its connections are seen, or it looks
 * after, and refuses.
 * @param ownConnection name of the connections of this node, which may not have said yet what it reads
 * @returns whether the stored forms are written now
 */
export async function adoptStoredForms(
  db: Kysely<Tables>,
  { kind, nowMs }: Pick<SqlDialect, 'kind' | 'nowMs'>,
  ownConnection = '',
): Promise<boolean> {
  const others = kind === 'sqlite' ? sql`1 = 0` : formerReaders(nowMs, ownConnection)
  // With the key that everything was sealed with forgotten, what was sealed in the former form since is sealed anew.
  await sql`update database_identity set
    oldest_program = case when ${others} then ${readersOfFormerForms} else ${readersOfStoredForms} end,
    resealed_key = case when ${others} then resealed_key else '' end
    where oldest_program in ('', ${readersOfFormerForms})`.execute(db)
  const { rows } = await sql<{ oldest: string }>`
    select oldest_program as oldest from database_identity`.execute(db)
  return writesStoredForms(rows[0]?.oldest ?? '')
}

/** The same in a transaction of its own, while the gateway runs. */
export function adoptStoredFormsLater(
  { transaction }: Pick<Connection, 'transaction'>,
  ownConnection: string,
): Promise<boolean> {
  return transaction(async ({ db, dialect }) => {
    if (dialect.kind === 'postgres') await sql.raw(takeLock('schema')).execute(db)
    for (const durable of dialect.makeDurable) await sql.raw(durable).execute(db)
    return adoptStoredForms(db, dialect, ownConnection)
  })
}

/**
 * Returns the condition of a living node that may not know keys by their ids: by its heartbeat; by its lock, which it has before it
 * looks at the schema; or by its connections, which it still has when it hangs and its lock was taken from it.
 */
function formerReaders(nowMs: string, ownConnection: string) {
  const readers = sql`select id from nodes where key_ids <> '' union select ${nodeOf(ownConnection)}`
  return sql`exists (select 1 from nodes
      where seen_ms > ${sql.raw(nowMs)} - ${goneMs} and id not in (${readers}))
    or exists (select 1 from (${sql.raw(nodeLocks)}) as held
      where key not in (select ${sql.raw(nodeKeyOf('id'))} from (${readers}) as known (id)))
    or exists (select 1 from pg_stat_activity where datname = current_database()
      and application_name like ${`${nodePrefix}%`} and application_name <> ${commandConnection}
      and application_name not in (select left(${nodePrefix} || id, ${maxNameLength}) from (${readers}) as known))`
}

function nodeOf(connection: string): string {
  return connection.startsWith(nodePrefix) ? connection.slice(nodePrefix.length) : ''
}
