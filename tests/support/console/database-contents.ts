import type { Database } from 'bun:sqlite'
import { withDatabase } from './people.ts'

/** Every row of a table, as text. */
export type Contents = ReadonlyMap<string, string>

/** Reads the content of each table except the named ones. Two readings differ when something was stored in between. */
export function contentsOf(dataDir: string, without: readonly string[] = []): Contents {
  return withDatabase(dataDir, (database) => {
    const tables = tablesOf(database).filter((table) => !without.includes(table))
    return new Map(
      tables.map((table) => [table, JSON.stringify(database.query(`select * from "${table}"`).values())]),
    )
  })
}

/** Tables whose contents are no more what they were. */
export function changedTables(before: Contents, after: Contents): string[] {
  return [...after].filter(([table, rows]) => before.get(table) !== rows).map(([table]) => table)
}

export function tablesOf(database: Database): string[] {
  const rows = database
    .query(`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`)
    .all() as { name: string }[]
  return rows.map(({ name }) => name)
}
