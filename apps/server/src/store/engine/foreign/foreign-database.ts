/** A row of a database that another program wrote. */
export type ForeignRow = Readonly<Record<string, unknown>>

/** Operations of a foreign database; statements have `?` for their parameters, and names that need no quotes. */
export interface ForeignConnection {
  readonly kind: 'sqlite' | 'mysql' | 'postgres'
  query(statement: string, parameters: readonly (string | number)[]): Promise<ForeignRow[]>
  /** A name in the quotes of the database. */
  quoted(name: string): string
  /** Ends what was begun; the database is as it was. */
  close(): Promise<void>
}

/** A database of another program, to read: one moment of it, whatever that program writes meanwhile. */
export interface ForeignDatabase {
  /** Address without credentials. */
  readonly origin: string
  /** The names of all tables, in order. */
  tables(): Promise<readonly string[]>
  has(table: string): Promise<boolean>
  /** The names of the columns of a table. */
  columns(table: string): Promise<ReadonlySet<string>>
  /** All rows of a table, some at a time, in the order of a column without repetitions. */
  rows(table: string, key: string): AsyncGenerator<ForeignRow[]>
  query(statement: string, parameters?: readonly (string | number)[]): Promise<ForeignRow[]>
  count(table: string): Promise<number>
  quoted(name: string): string
  /** An expression as text, whatever its type. */
  asText(expression: string): string
  close(): Promise<void>
}

const rowsPerRead = 500

/** A database over a connection. Failures become one sentence that says which database it is. */
export function foreignDatabase(
  connection: ForeignConnection,
  origin: string,
  explained: (error: unknown) => Error,
): ForeignDatabase {
  const { quoted, kind } = connection

  async function query(
    statement: string,
    parameters: readonly (string | number)[] = [],
  ): Promise<ForeignRow[]> {
    try {
      return await connection.query(statement, parameters)
    } catch (error) {
      throw explained(error)
    }
  }

  async function columns(table: string): Promise<ReadonlySet<string>> {
    const rows = await query(columnQueries[kind], [table])
    return new Set(rows.map(({ name }) => String(name)))
  }

  return {
    origin,
    columns,
    async tables() {
      const rows = await query(tableQueries[kind])
      return rows.map(({ name }) => String(name))
    },
    has: async (table) => (await columns(table)).size > 0,
    async *rows(table, key) {
      const start = `select * from ${quoted(table)}`
      const end = `order by ${quoted(key)} limit ${rowsPerRead}`
      let rows = await query(`${start} ${end}`)
      while (rows.length > 0) {
        yield rows
        const last = rows.at(-1)?.[key] as string | number
        rows =
          rows.length < rowsPerRead ? [] : await query(`${start} where ${quoted(key)} > ? ${end}`, [last])
      }
    },
    query,
    async count(table) {
      const [row] = await query(`select count(*) as n from ${quoted(table)}`)
      return Number(row?.['n'] ?? 0)
    },
    quoted,
    asText: (expression) => `cast(${expression} as ${kind === 'mysql' ? 'char' : 'text'})`,
    close: () => connection.close(),
  }
}

const tableQueries = {
  sqlite:
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
  mysql:
    "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by table_name",
  postgres:
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name",
} as const

const columnQueries = {
  sqlite: 'select name from pragma_table_info(?)',
  mysql:
    'select column_name as name from information_schema.columns where table_schema = database() and table_name = ?',
  postgres:
    'select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = ?',
} as const
