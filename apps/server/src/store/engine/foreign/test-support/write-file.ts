import { Database } from 'bun:sqlite'

/** Writes an SQLite file as another program would: each table with one row of these values. */
export function writeForeignFile(
  file: string,
  tables: Readonly<Record<string, Readonly<Record<string, string | number | null>>>>,
): void {
  const database = new Database(file)
  for (const [table, row] of Object.entries(tables)) {
    const columns = Object.keys(row).map((column) => `"${column}"`)
    database.run(`create table "${table}" (${columns.join(', ')})`)
    database.run(`insert into "${table}" values (${columns.map(() => '?').join(', ')})`, Object.values(row))
  }
  database.close()
}
