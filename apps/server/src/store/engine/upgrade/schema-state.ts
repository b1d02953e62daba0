import type { ProgramIdentity } from '../../../lib/program.ts'
import type { DatabaseKind } from '../../dialects/sql-dialect.ts'
import { type Program, query } from '../../program.ts'
import { hasTable } from '../state.ts'
import { programOf } from './landed.ts'

/** Progress of a database's schema, by its own record. */
export interface SchemaState {
  /** Names of its migrations, in the order of the names. */
  readonly applied: readonly string[]
  /**
   * Program that upgraded it last. Databases from before this was recorded have no version, and the commit by their migrations.
   */
  readonly program: ProgramIdentity
  /** The last migration that the oldest program knows which may run on it; empty in databases from before fleets. */
  readonly oldestProgram: string
}

const columnsOfIdentity: Readonly<Record<DatabaseKind, string>> = {
  sqlite: `select name from pragma_table_info('database_identity')`,
  postgres: `select column_name as name from information_schema.columns
    where table_name = 'database_identity' and table_schema = any (current_schemas(false))`,
}

/** Reads a database of any version, and changes nothing; `undefined` for one without tables of Tollgate. */
export function* readSchemaState(kind: DatabaseKind): Program<SchemaState | undefined> {
  if (!(yield* hasTable(kind, 'kysely_migration'))) return undefined
  const rows = yield* query<{ name: string }>('select name from kysely_migration order by name')
  const applied = rows.map(({ name }) => name)
  const identity = yield* readIdentity(kind)
  const version = identity['program_version'] ?? ''
  return {
    applied,
    program: version === '' ? programOf(applied) : { version, commit: identity['program_commit'] ?? '' },
    oldestProgram: identity['oldest_program'] ?? '',
  }
}

/** The row that tells the database from others, with the columns that it has. */
function* readIdentity(kind: DatabaseKind): Program<Readonly<Record<string, string>>> {
  const columns = (yield* query<{ name: string }>(columnsOfIdentity[kind])).map(({ name }) => name)
  const wanted = ['oldest_program', 'program_version', 'program_commit'].filter((name) =>
    columns.includes(name),
  )
  if (wanted.length === 0) return {}
  const [row] = yield* query<Record<string, string>>(`select ${wanted.join(', ')} from database_identity`)
  return row ?? {}
}
