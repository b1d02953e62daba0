import { columnList, type SqlTexts } from './sql-dialect.ts'

/** Larger ones gain little, and the rest runs row by row. */
const rowsPerInsert = 16

export const sqliteTexts: SqlTexts = {
  kind: 'sqlite',
  newId: 'integer primary key autoincrement',
  integer: 'integer',
  real: 'real',
  bytes: 'blob',
  byteOrder: '',
  randomText: 'lower(hex(randomblob(16)))',
  nowMs: `cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
  tableEnd: 'strict',
  keyedTableEnd: 'strict, without rowid',
  insertRows(table, columns, rows, onConflict) {
    const row = `(${Object.keys(columns)
      .map(() => '?')
      .join(', ')})`
    const insert = (count: number) =>
      `insert into ${table} (${columnList(columns)}) values ${new Array(count).fill(row).join(', ')} ${onConflict}`
    return {
      // Half the time of one statement over a JSON parameter, and with many rows at once three quarters of that.
      sql: insert(1),
      parameters: [],
      rows,
      forMany: { sql: insert(rowsPerInsert), rows: rowsPerInsert },
    }
  },
  updateRows(table, columns, sets, rows) {
    const names = Object.keys(columns)
    return {
      // A third of the time of one statement that joins a JSON parameter.
      sql: `update ${table} set ${sets((name) => `?${names.indexOf(name) + 1}`)} where id = ?1`,
      parameters: [],
      rows,
    }
  },
  // Without statistics it would scan the table itself.
  indexHint: 'indexed by',
  placeholders: (text) => text,
  beforeLogRows: [],
  betweenLogRows: [],
  // Its one writer is alone.
  lockRow: '',
  beforeOptions: [],
  besideOptions: [],
  beforeFlush: [],
  passIds: (table, id) => [
    `insert into sqlite_sequence (name, seq)
      select '${table}', 0 where not exists (select 1 from sqlite_sequence where name = '${table}')`,
    `update sqlite_sequence set seq = ${id} where name = '${table}' and seq < ${id}`,
  ],
  makeDurable: [],
  // https://www.sqlite.org/pragma.html#pragma_secure_delete
  beforeErasing: ['pragma secure_delete = on'],
  afterErasing: ['pragma secure_delete = off', 'pragma wal_checkpoint(truncate)'],
}
