import { sql } from 'kysely'
import type { SqlDialect } from './sql-dialect.ts'
import { sqliteTexts } from './sqlite-texts.ts'

export const sqliteDialect: SqlDialect = {
  ...sqliteTexts,
  isOneOf: (column, values) =>
    sql<boolean>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`,
}
