import { sql } from 'kysely'
import { postgresTexts } from './postgres-texts.ts'
import type { SqlDialect } from './sql-dialect.ts'

export const postgresDialect: SqlDialect = {
  ...postgresTexts,
  isOneOf(column, values) {
    if (values.length === 0) return sql<boolean>`false`
    const type = typeof values[0] === 'number' ? 'bigint' : 'text'
    return sql<boolean>`${sql.ref(column)} = any(${values}::${sql.raw(type)}[])`
  },
}
