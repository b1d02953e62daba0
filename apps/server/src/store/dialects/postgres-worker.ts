import { type ClearResult, clearBatch, clearIndex } from '../log-index/clear.ts'
import { type SealResult, sealBlock } from '../log-index/seal.ts'
import { TermCache } from '../log-index/terms.ts'
import { type Program, query, runProgramAsync } from '../program.ts'
import { type ReadName, readProgram } from '../programs.ts'
import type { Seconds } from '../units.ts'
import { monthOfPartition, partitionOf, startOfMonth } from './postgres.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { isLockTimeout } from './postgres-errors.ts'
import { takeLock } from './postgres-locks.ts'
import { type ConnectionPool, createPool } from './postgres-pool.ts'
import type { WorkerRequest } from './worker-messages.ts'
import { serveCalls } from './worker-server.ts'

const connections = 3

/** One state of the database for all statements of a read. */
const beginRead = ['begin isolation level repeatable read read only']

/** Writers of log rows have priority: sealing waits only briefly for the lock, and tries again later. */
const beginSeal = ['begin', `set local lock_timeout = '200ms'`, takeLock('logIndex'), takeLock('logRows')]

const beginClear = ['begin', takeLock('logIndex')]

/** An audit reads the complete database, and dropping a month counts its rows. */
const scanMs = 3_600_000

let pool: ConnectionPool | undefined
const terms = new TermCache()

/** @param statementMs another limit than the pool's */
async function run<Result>(
  program: Program<Result>,
  begin: readonly string[],
  statementMs?: number,
): Promise<Result> {
  if (pool === undefined) throw new Error('the database is not open')
  const connection = await pool.connect()
  let done = false
  try {
    for (const statement of begin) await connection.query(statement)
    if (statementMs !== undefined) await connection.query(`set local statement_timeout = ${statementMs}`)
    const result = await runProgramAsync(program, async ({ sql, parameters }) => {
      const { rows } = await connection.query(postgresDialect.placeholders(sql), parameters, statementMs)
      return rows
    })
    await connection.query('commit')
    done = true
    return result
  } finally {
    // A connection that failed inside a transaction is not used again.
    connection.release(!done)
  }
}

function limitOf(name: ReadName): number | undefined {
  return name === 'findDifferences' ? scanMs : undefined
}

async function seal(size: number): Promise<SealResult> {
  try {
    return await run(sealBlock(size, terms), beginSeal)
  } catch (error) {
    if (isLockTimeout(error)) return { sealed: false, unsealed: size }
    throw error
  }
}

/** Drops a month, or gives up without the lock: deleting the rows instead is slower, but blocks no writer. */
async function dropOrGiveUp(before: Seconds): Promise<ClearResult> {
  try {
    return await run(dropMonth(before, terms), beginClear, scanMs)
  } catch (error) {
    if (isLockTimeout(error)) return { deleted: 0, done: true }
    throw error
  }
}

serveCalls(async (request: WorkerRequest): Promise<unknown> => {
  switch (request.op) {
    case 'open':
      if ('file' in request.opening) throw new Error('this worker opens URLs')
      pool = await createPool(request.opening.url, { connections, statementMs: request.opening.statementMs })
      return undefined
    case 'read':
      return await run(readProgram(request.name, request.args), beginRead, limitOf(request.name))
    case 'seal':
      return await seal(request.size)
    case 'clear':
      return await run(clearBatch(request.before, terms), beginClear, scanMs)
    case 'drop-month':
      return await dropOrGiveUp(request.before)
    case 'close':
      return await pool?.end()
    case 'execute':
    case 'batch':
    case 'flush':
      throw new Error('this worker only reads, seals and clears')
  }
})

/**
 * Dropping a partition blocks the log for a moment, and while it waits for readers, all later calls too. After this it
 * gives up.
 */
const dropLockMs = 2000

/**
 * Drops the oldest month of the log that lies completely before a time, with its part of the index. Runs in a
 * transaction of its own, with sealing locked out.
 */
function* dropMonth(before: Seconds, terms: TermCache): Program<ClearResult> {
  const partitions = yield* query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'logs'::regclass`,
  )
  const [month] = partitions
    .flatMap(({ name }) => monthOfPartition(name) ?? [])
    .filter((one) => startOfMonth(one + 1) <= before)
    .sort((a, b) => a - b)
  if (month === undefined) return { deleted: 0, done: true }
  return { deleted: yield* drop(month, terms), done: false }
}

function* drop(month: number, terms: TermCache): Program<number> {
  const name = partitionOf(month)
  const [rows] = yield* query<{ count: number }>(`select count(*) as count from ${name}`)
  yield* clearIndex(startOfMonth(month + 1), terms)
  // The lock comes last, so that it is held for the commit alone.
  yield* query(`set local lock_timeout = ${dropLockMs}`)
  yield* query(`drop table ${name}`)
  return rows?.count ?? 0
}
