import { Database } from 'bun:sqlite'
import { SQL } from 'bun'

/** Kinds of a foreign table's columns. */
export type ColumnKind = 'id' | 'integer' | 'text' | 'key' | 'flag' | 'real' | 'time'

export type Schema = Readonly<Record<string, Readonly<Record<string, ColumnKind>>>>
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

type Dialect = 'sqlite' | 'mysql' | 'postgres'

/** Types as gorm makes them on each database. */
const types: Readonly<Record<Dialect, Readonly<Record<ColumnKind, string>>>> = {
  sqlite: {
    id: 'integer primary key',
    integer: 'integer default 0',
    text: 'text',
    key: 'char(48)',
    flag: 'numeric default false',
    real: 'real',
    time: 'datetime',
  },
  mysql: {
    id: 'bigint primary key auto_increment',
    integer: 'bigint default 0',
    text: 'longtext',
    key: 'char(48)',
    flag: 'tinyint(1) default 0',
    real: 'double',
    time: 'datetime(3)',
  },
  postgres: {
    id: 'bigserial primary key',
    integer: 'bigint default 0',
    text: 'text',
    key: 'char(48)',
    flag: 'boolean default false',
    real: 'numeric',
    time: 'timestamptz',
  },
}

/** Writes tables and rows to an empty database: a file, or a server's address. */
export async function writeDatabase(address: string, schema: Schema, rows: Rows): Promise<void> {
  const dialect = dialectOf(address)
  const quoted = (name: string) => (dialect === 'mysql' ? `\`${name}\`` : `"${name}"`)
  const statements = Object.entries(schema).map(([table, columns]) => {
    const list = Object.entries(columns).map(([name, kind]) => `${quoted(name)} ${types[dialect][kind]}`)
    return `create table ${quoted(table)} (${list.join(', ')})`
  })
  const run = await connect(address, dialect)
  for (const statement of statements) await run.query(statement, [])
  for (const [table, all] of Object.entries(rows))
    for (const row of all) {
      const names = Object.keys(row)
      const marks = names.map((_, index) => (dialect === 'postgres' ? `$${index + 1}` : '?'))
      await run.query(
        `insert into ${quoted(table)} (${names.map(quoted).join(', ')}) values (${marks.join(', ')})`,
        Object.values(row),
      )
    }
  await run.close()
}

function dialectOf(address: string): Dialect {
  if (address.startsWith('mysql:')) return 'mysql'
  return address.startsWith('postgres') ? 'postgres' : 'sqlite'
}

async function connect(address: string, dialect: Dialect) {
  if (dialect === 'sqlite') {
    const database = new Database(address, { create: true })
    database.run('begin')
    return {
      query: async (statement: string, values: readonly unknown[]) =>
        void database.query(statement).run(...(values as string[])),
      async close() {
        database.run('commit')
        database.close()
      },
    }
  }
  const sql = new SQL(address, { max: 1 })
  return {
    query: async (statement: string, values: readonly unknown[]) =>
      void (await sql.unsafe(statement, [...values])),
    close: () => sql.close(),
  }
}
