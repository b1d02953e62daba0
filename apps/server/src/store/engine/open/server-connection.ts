import { postgresDialect } from '../../dialects/postgres-dialect.ts'
import { takeWholeDatabase } from '../../dialects/postgres-locks.ts'
import { StoreOpenError, toOpenError } from '../../errors.ts'
import { type Program, runProgramAsync } from '../../program.ts'
import { describeServer } from '../address/postgres-address.ts'
import { type ConnectionPool, createPool, type PooledConnection } from '../connections/postgres-pool.ts'

/** Reading or writing a large table takes minutes. */
const statementMs = 3_600_000
/** Between two statements of a transaction a slow disk may be written elsewhere. */
const idleMs = 600_000

/** One connection of a pool of its own, in a transaction. */
export interface ServerTransaction {
  readonly connection: PooledConnection
  run<Result>(program: Program<Result>): Promise<Result>
  commit(): Promise<void>
  /** Rolls back what was not committed. */
  close(): Promise<void>
}

/** Names the database of a URL for a sentence, without credentials. */
export function nameServer(url: string): string {
  return `the PostgreSQL database at ${describeServer(url)}`
}

/**
 * Begins a transaction on a connection of its own.
 * @throws StoreOpenError with one sentence
 */
export async function beginOnServer(url: string, begin = 'begin'): Promise<ServerTransaction> {
  const what = `T${nameServer(url).slice(1)} cannot be used`
  const pool = await createPool(url, { connections: 1, statementMs })
  try {
    const connection = await pool.connect()
    await connection.query(begin)
    await connection.query(`set local idle_in_transaction_session_timeout = ${idleMs}`)
    for (const statement of postgresDialect.makeDurable) await connection.query(statement)
    return {
      connection,
      run: (program) =>
        runProgramAsync(program, async ({ sql, parameters }) => {
          const { rows } = await connection.query(postgresDialect.placeholders(sql), parameters)
          return rows
        }),
      async commit() {
        await connection.query('commit')
      },
      close: () => endAll(pool, connection),
    }
  } catch (error) {
    await pool.end()
    throw toOpenError(error, what)
  }
}

async function endAll(pool: ConnectionPool, connection: PooledConnection): Promise<void> {
  connection.release(true)
  await pool.end()
}

/** A process that was just stopped or killed lets go within this time. */
const aloneTries = 12
const alonePauseMs = 250

/**
 * Begins a transaction that has the database for itself: no node runs over it, and none starts before the transaction ends.
 * @throws StoreOpenError with one sentence when a node runs
 */
export async function beginAloneOnServer(url: string): Promise<ServerTransaction> {
  const transaction = await beginOnServer(url)
  for (let tries = 1; ; tries += 1) {
    const { rows } = await transaction.connection.query(takeWholeDatabase)
    if (rows[0]?.held === true) return transaction
    if (tries === aloneTries) {
      await transaction.close()
      throw new StoreOpenError(`A Tollgate process is using ${nameServer(url)}: stop every node first.`)
    }
    await Bun.sleep(alonePauseMs)
  }
}
