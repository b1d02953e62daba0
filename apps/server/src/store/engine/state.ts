import type { DatabaseKind } from '../dialects/sql-dialect.ts'
import { type Program, query } from '../program.ts'
import type { JournalSpan } from '../settlement.ts'

/** Last journal entry of a node whose effects are in the database; 0 when there is none. */
export function* readJournalPosition(node: string): Program<number> {
  const [position] = yield* query<{ seq: number }>('select seq from journal_positions where node = ?', [node])
  return position?.seq ?? 0
}

/** Reads the entries of some starts of nodes that the database has. */
export function* readJournalSpans(runs: readonly string[]): Program<readonly JournalSpan[]> {
  if (runs.length === 0) return []
  return yield* query<JournalSpan>(
    `select run, first_seq as first, last_seq as last from journal_spans
      where run in (${runs.map(() => '?').join(', ')}) order by run, first_seq`,
    runs,
  )
}

/** Random id of the database, from its creation. */
export function* readDatabaseId(): Program<string> {
  const [identity] = yield* query<{ id: string }>('select id from database_identity', [])
  if (identity === undefined) throw new Error('the database has no identity')
  return identity.id
}

const tableQueries: Readonly<Record<DatabaseKind, string>> = {
  sqlite: `select name from sqlite_schema where type = 'table' and name = ?`,
  postgres: `select tablename as name from pg_tables
    where tablename = ? and schemaname = any (current_schemas(false))`,
}

/** Decides whether a database has a table. */
export function* hasTable(kind: DatabaseKind, name: string): Program<boolean> {
  return (yield* query(tableQueries[kind], [name])).length > 0
}

/** State of the installation in a database. */
export interface InstallationState {
  /** Its identity; `undefined` where there are no tables of Tollgate. */
  readonly database: string | undefined
  /** Set after its set-up: it has accounts. */
  readonly isUsed: boolean
  /** Target to which a PostgreSQL database was moved; empty when it was not. */
  readonly movedTo: string
}

/** Reads what every version of the schema has. */
export function* readInstallation(kind: DatabaseKind): Program<InstallationState> {
  if (!(yield* hasTable(kind, 'database_identity')))
    return { database: undefined, isUsed: false, movedTo: '' }
  const database = yield* readDatabaseId()
  const users = yield* query('select id from users limit 1')
  const moves = (yield* hasTable(kind, 'moves'))
    ? yield* query<{ place: string }>('select place from moves order by moved_at desc limit 1')
    : []
  return { database, isUsed: users.length > 0, movedTo: moves[0]?.place ?? '' }
}
