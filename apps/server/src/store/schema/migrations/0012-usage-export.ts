import type { SqlDialect } from '../../dialects/sql-dialect.ts'

/** How far the usage log was exported, for each destination. */
export function usageExport({ integer, keyedTableEnd }: SqlDialect): string[] {
  return [
    `create table usage_exports (
      destination text not null primary key,
      exported_id ${integer} not null
    ) ${keyedTableEnd}`,
  ]
}
