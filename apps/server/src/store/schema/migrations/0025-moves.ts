import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds the target to which the installation of this database was moved: no node may serve it here any more. A folder has a file for it.
 */
export function moves({ kind, integer }: SqlDialect): string[] {
  return kind === 'sqlite'
    ? []
    : [`create table moves (place text not null primary key, moved_at ${integer} not null)`]
}
