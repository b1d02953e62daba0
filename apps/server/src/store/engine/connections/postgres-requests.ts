import { rewriteLog } from '../../accounts/personal/rewrite-log.ts'
import { takeLock } from '../../dialects/postgres-locks.ts'
import { postgresTexts } from '../../dialects/postgres-texts.ts'
import { type ClearResult, clearBatch } from '../../log/index/clear.ts'
import { type SealResult, sealBlock } from '../../log/index/seal.ts'
import { improveIndex } from '../../log/index/spans/complete.ts'
import { TermCache } from '../../log/index/terms.ts'
import { dropPartition } from '../../log/partitions/drop.ts'
import { type Program, runProgramAsync } from '../../program.ts'
import {
  createReadMemory,
  type ReadArguments,
  type ReadName,
  type ReadResult,
  readProgram,
} from '../../programs.ts'
import type { Seconds } from '../../units.ts'
import { fromPostgres, isLockTimeout } from './postgres-errors.ts'
import { type ConnectionPool, createPool } from './postgres-pool.ts'
import { type LoadStreams, noStreams, StreamServer } from './stream-server.ts'
import type { WorkerRequest } from './worker-messages.ts'

/**
 * One state of the database for all statements of a read. Other reads have this thread between two of them, for seconds where tables are
 * large and processors busy; a reader whose process is gone is in nobody's way meanwhile.
 */
const beginRead = [
  'begin isolation level repeatable read read only; set local idle_in_transaction_session_timeout = 60000',
]

/** Writers of log rows have priority: sealing waits only briefly for the lock, and tries again later. */
const beginSeal = ['begin', `set local lock_timeout = '200ms'`, takeLock('logIndex'), takeLock('logRows')]

/** Blocks are not written by others meanwhile. */
const beginIndexWork = ['begin', takeLock('logIndex')]

const beginDrop = ['begin', takeLock('partitions'), takeLock('logIndex')]

/** An audit reads the complete database. */
const scanMs = 3_600_000

let pool: ConnectionPool | undefined
const terms = new TermCache()
const memory = createReadMemory()

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
      const { rows } = await connection.query(postgresTexts.placeholders(sql), parameters, statementMs)
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

/** Gives up for the moment where readers hold the log for long. */
async function dropUnlessLocked(before: Seconds): Promise<ClearResult> {
  try {
    return await run(dropPartition(before, terms), beginDrop, scanMs)
  } catch (error) {
    if (isLockTimeout(error)) return { deleted: 0, done: false, locked: true }
    throw error
  }
}

function read<Name extends ReadName>(name: Name, args: ReadArguments<Name>): Promise<ReadResult<Name>> {
  return run(readProgram(name, args, memory), beginRead, limitOf(name))
}

/** The database as a thread's streams read it. */
export interface PostgresThread {
  readonly pool: ConnectionPool
  read<Name extends ReadName>(name: Name, ...args: ReadArguments<Name>): Promise<ReadResult<Name>>
}

function threadOver(opened: ConnectionPool | undefined): PostgresThread {
  if (opened === undefined) throw new Error('the database is not open')
  return {
    pool: opened,
    async read(name, ...args) {
      try {
        return await read(name, args)
      } catch (error) {
        throw fromPostgres(error)
      }
    },
  }
}

/** Responds to the requests of a thread over a PostgreSQL server. @param loadStreams makes what it streams; nothing by default */
export function postgresRequests(
  loadStreams: LoadStreams<PostgresThread> = noStreams,
): (request: WorkerRequest) => Promise<unknown> {
  const streams = new StreamServer(() => loadStreams(threadOver(pool)))
  return async (request) => {
    switch (request.op) {
      case 'open':
        if ('file' in request.opening) throw new Error('this worker opens URLs')
        pool = await createPool(request.opening.url, request.opening)
        return undefined
      case 'read':
        return await read(request.name, request.args)
      case 'seal':
        return await seal(request.size)
      case 'combine':
        return await run(improveIndex(request.size), beginIndexWork)
      case 'clear':
        return await run(clearBatch(request.before, terms), beginIndexWork, scanMs)
      case 'rewrite':
        return await run(rewriteLog(request.rewriting, terms), beginIndexWork, scanMs)
      case 'drop-partition':
        return await dropUnlessLocked(request.before)
      case 'pull':
        return await streams.pull(request)
      case 'leave':
        return await streams.leave(request.stream)
      case 'close':
        await streams.close()
        return await pool?.end()
      case 'execute':
      case 'batch':
      case 'flush':
        throw new Error('this worker only reads, and keeps the index of the log')
    }
  }
}
