import type { Pool, PoolClient } from 'pg'
import { type SealResult, sealBlock } from '../log-index/seal.ts'
import { TermMemory } from '../log-index/terms.ts'
import { type Program, runProgramAsync } from '../program.ts'
import { readProgram } from '../programs.ts'
import { isLockTimeout } from './postgres-errors.ts'
import { createPool } from './postgres-pool.ts'
import { postgresWords, takeLock } from './words.ts'
import type { WorkerRequest } from './worker-messages.ts'
import { serveCalls } from './worker-service.ts'

const connections = 3

/** One state of the database from the first statement of a read to its last. */
const beginRead = ['begin isolation level repeatable read read only']

/** Whoever adds log rows is let through first: sealing waits for a moment only, and comes again. */
const beginSeal = ['begin', `set local lock_timeout = '200ms'`, takeLock('logRows')]

let pool: Promise<Pool> | undefined
const terms = new TermMemory()

async function run<Result>(program: Program<Result>, begin: readonly string[]): Promise<Result> {
  if (pool === undefined) throw new Error('the database is not open')
  const client = await (await pool).connect()
  let done = false
  try {
    for (const statement of begin) await client.query(statement)
    const result = await runProgramAsync(program, ({ sql, parameters }) =>
      rowsOf(client, sql, [...parameters]),
    )
    await client.query('commit')
    done = true
    return result
  } finally {
    // A connection that failed in the middle of a transaction is not used again.
    client.release(!done)
  }
}

async function rowsOf(client: PoolClient, sql: string, parameters: unknown[]) {
  return (await client.query(postgresWords.placeholders(sql), parameters)).rows
}

async function seal(size: number): Promise<SealResult> {
  try {
    return await run(sealBlock(size, terms), beginSeal)
  } catch (error) {
    if (isLockTimeout(error)) return { sealed: false, unsealed: size }
    throw error
  }
}

serveCalls((request: WorkerRequest): unknown => {
  switch (request.op) {
    case 'open':
      if ('file' in request.opening) throw new Error('this worker opens URLs')
      pool = createPool(request.opening.url, { max: connections })
      return undefined
    case 'read':
      return run(readProgram(request.name, request.args), beginRead)
    case 'seal':
      return seal(request.size)
    case 'close':
      return pool?.then((opened) => opened.end())
    case 'execute':
    case 'batch':
    case 'flush':
      throw new Error('this worker only reads and seals')
  }
})
