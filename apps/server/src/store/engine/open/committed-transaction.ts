import { type Program, query } from '../../program.ts'

/** A transaction of a PostgreSQL database, as it is known there afterwards, whatever address leads there. */
export interface ServerTransactionId {
  /** Names the database among all of the world. */
  readonly server: string
  readonly transaction: string
}

const serverIdentity = `select cast(system_identifier as text) || '/' ||
  (select oid from pg_database where datname = current_database()) from pg_control_system()`

/** The transaction that runs. */
export function* readTransaction(): Program<ServerTransactionId> {
  const [row] = yield* query<ServerTransactionId>(
    `select (${serverIdentity}) as server, cast(txid_current() as text) as transaction`,
  )
  if (row === undefined) throw new Error('the server names no transaction')
  return row
}

/** Decides whether a transaction was one of this database. */
export function* isOfServer({ server }: ServerTransactionId): Program<boolean> {
  const rows = yield* query(`select 1 where (${serverIdentity}) = cast(? as text)`, [server])
  return rows.length > 0
}

/**
 * Decides whether a transaction of this database was committed. The server forgets after hundreds of millions of others: one as old as
 * that counts as committed.
 */
export function* wasCommitted(id: ServerTransactionId): Program<boolean> {
  if (!(yield* isOfServer(id))) return false
  // A server that was set back to an earlier moment has not given the number yet.
  const [row] = yield* query<{ status: string }>(
    `select case when cast(? as bigint) >= txid_snapshot_xmax(txid_current_snapshot()) then 'unknown'
      else coalesce(txid_status(cast(? as bigint)), 'committed') end as status`,
    [id.transaction, id.transaction],
  )
  return row?.status === 'committed'
}
