import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../schema/tables.ts'

/** Longest wait for all of them, unless the server looks for deadlocks sooner. */
const maxWaitMs = 500

/**
 * Locks every table that statements name, before any of them runs, or fails after a short wait. The server ends a transaction that
 * waits for `deadlock_timeout` in a circle: a migration which took its tables one after the other would be in such a circle with a
 * node that serves beside, and the node's transaction, which may be a payment, would be the one that ends. This wait is over before
 * the server looks, and afterwards the migration waits for nothing.
 * @returns their names
 */
export async function lockTables(
  db: Transaction<Tables>,
  statements: readonly string[],
): Promise<readonly string[]> {
  const tables = await namedTables(db, statements)
  if (tables.length === 0) return []
  const { rows } = await sql<{ limit: string }>`
    select current_setting('statement_timeout') as limit,
      set_config('statement_timeout', least(${maxWaitMs}, setting::int / 2)::text, true)
    from pg_settings where name = 'deadlock_timeout'`.execute(db)
  const names = sql.join(tables.map((table) => sql.table(table)))
  await sql`lock table ${names} in access exclusive mode`.execute(db)
  await sql`select set_config('statement_timeout', ${rows[0]?.limit ?? '0'}, true)`.execute(db)
  return tables
}

/** The tables whose names, or those of their indexes, are words of the statements: as many as are touched, or more. */
async function namedTables(
  db: Transaction<Tables>,
  statements: readonly string[],
): Promise<readonly string[]> {
  const words = new Set(statements.join(' ').match(/\w+/g))
  const { rows } = await sql<{ name: string; table: string }>`
    select part.relname as name, coalesce(owner.relname, part.relname) as table
    from pg_class as part
      left join pg_index on indexrelid = part.oid
      left join pg_class as owner on owner.oid = indrelid
    where part.relnamespace = current_schema()::regnamespace and part.relkind in ('r', 'p', 'i', 'I')
      and not coalesce(owner.relispartition, part.relispartition)`.execute(db)
  const named = rows.filter(({ name }) => words.has(name)).map(({ table }) => table)
  return [...new Set(named)].toSorted()
}
