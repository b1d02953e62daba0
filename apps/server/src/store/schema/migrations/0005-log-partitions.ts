import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Log rows of a time that has no partition are kept in a default one. Its table is empty when it is attached, so that no row is
 * read, and nodes of the version before go on writing.
 */
export function logPartitions({ kind }: SqlDialect): string[] {
  if (kind === 'sqlite') return []
  return [
    'create table logs_default (like logs including defaults including constraints)',
    'alter table logs attach partition logs_default default',
  ]
}
