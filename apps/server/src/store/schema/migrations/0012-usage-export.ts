import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** Adds the progress of exporting the usage log, for each destination. */
export function usageExport({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table usage_exports (
      destination text not null primary key,
      exported_id ${integer} not null
    ) ${keyedTableEnd}`,
  ]
}
