import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Where the installation of this database was moved to: no node may serve it here any more. A folder says so by a file. */
export function moves({ kind, integer }: SqlDialect): string[] {
  return kind === 'sqlite'
    ? []
    : [`create table moves (place text not null primary key, moved_at ${integer} not null)`]
}
