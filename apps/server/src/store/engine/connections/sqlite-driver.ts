import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Statement, Value } from '../../program.ts'
import type { Executed } from './worker-messages.ts'

/** The one connection that writes, held by one caller at a time. */
export interface Writer {
  /** Resolves with the function that releases it. */
  acquire(): Promise<() => void>
  execute(statement: Statement): Promise<Executed>
}

/** Kysely over the writer. */
export function writerDialect(writer: Writer): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new WriterDriver(writer),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite rolls schema changes back like any other; Kysely's own adapter leaves that unused. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class WriterDriver implements Driver {
  readonly #writer: Writer

  constructor(writer: Writer) {
    this.#writer = writer
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new WriterConnection(this.#writer, await this.#writer.acquire())
  }

  async beginTransaction(connection: WriterConnection): Promise<void> {
    await connection.begin()
  }

  async commitTransaction(connection: WriterConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: WriterConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(connection: WriterConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {}
}

class WriterConnection implements DatabaseConnection {
  readonly #writer: Writer
  readonly release: () => void
  #failure: unknown

  constructor(writer: Writer, release: () => void) {
    this.#writer = writer
    this.release = release
  }

  async executeQuery<Shape>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Shape>> {
    try {
      // Repositories pass only values that the tables hold.
      const statement = { sql, parameters: parameters as readonly Value[] }
      const { rows, changes } = await this.#writer.execute(statement)
      return { rows: rows as Shape[], numAffectedRows: BigInt(changes) }
    } catch (error) {
      this.#failure = error
      throw error
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; nothing here streams
  async *streamQuery<Shape>(): AsyncIterableIterator<QueryResult<Shape>> {
    throw new Error('the SQLite connection does not stream')
  }

  async begin(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('begin immediate'))
    this.#failure = undefined
  }

  /** Refuses to commit a transaction in which a statement failed, as PostgreSQL does. */
  async commit(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    await this.executeQuery(CompiledQuery.raw('commit'))
  }

  /** Rolls back; some failures, a full disk among them, have done so already. */
  async rollback(): Promise<void> {
    await this.#writer.execute({ sql: 'rollback', parameters: [] }).catch(() => undefined)
  }
}
