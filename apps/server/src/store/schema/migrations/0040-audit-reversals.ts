import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/**
 * Adds to a record of the audit log the one that it takes back, at most one for each: of two who take the same back at once, one does.
 * Programs of the version before leave it alone.
 */
export function auditReversals({ integer }: SqlDialect): string[] {
  return [
    `alter table audit_log add column reverts ${integer} not null default 0`,
    'create unique index audit_log_by_reverted on audit_log (reverts) where reverts > 0',
  ]
}
