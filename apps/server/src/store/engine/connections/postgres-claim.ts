import { setTimeout as pause } from 'node:timers/promises'
import { monotonicClock } from '@tollgate/base'
import type { Logger } from '../../../lib/logger.ts'
import { nodeLock, type ProcessLocks } from '../../dialects/postgres-locks.ts'
import { type ConnectionPool, createPool, type PooledConnection } from './postgres-pool.ts'

/** The times of a claim. */
export interface ClaimTimes {
  /** After this silence of a process the server gives its lock to the next one. */
  readonly leaseMs: number
  readonly heartbeatMs: number
  /** Longest wait for another process to release it: longer than a lease, for one whose host is gone. */
  readonly waitMs: number
  readonly retryMs: number
}

const defaultTimes: ClaimTimes = { leaseMs: 8000, heartbeatMs: 2000, waitMs: 10_000, retryMs: 250 }

/** Longest wait for the end of connections of an earlier process, and how often to look. */
const formerMs = 5000
const formerLookMs = 50

/** The parts of one attempt at the lock. */
const attemptMs = 3000

export interface ClaimConfig {
  readonly url: string
  readonly node: string
  /** Name of the connections over which the node works: those that an earlier process has left are ended. */
  readonly connectionName: string
  readonly logger: Pick<Logger, 'info' | 'warn'>
  readonly times?: Partial<ClaimTimes>
}

/** The result of an attempt: `zombie` means that a broken connection of our own still has the lock at the server. */
type Attempt = 'had' | 'zombie' | 'taken'

/**
 * The lock of a node, in the database, which one process holds for as long as it lives. It is the lock of a transaction that stays open on a
 * connection of its own, which works behind a pooler too, and it is a lease: the server ends the transaction of a silent
 * process. When the connection breaks, the claim takes the lock again; when another process has taken it meanwhile, `lost`
 * resolves.
 */
export class PostgresClaim {
  readonly lost: Promise<void>
  readonly #announceLoss: () => void
  readonly #pool: ConnectionPool
  readonly #times: ClaimTimes
  readonly #locks: ProcessLocks
  readonly #connectionName: string
  readonly #logger: ClaimConfig['logger']
  readonly #released = new AbortController()
  #connection: PooledConnection | undefined
  /** The server process of the last connection that had the lock. */
  #backend: unknown
  #isLost = false
  #keeping: Promise<void> | undefined

  constructor(pool: ConnectionPool, { node, connectionName, logger, times }: ClaimConfig) {
    this.#locks = nodeLock(node)
    this.#connectionName = connectionName
    this.#pool = pool
    this.#logger = logger
    this.#times = { ...defaultTimes, ...times }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.lost = promise
    this.#announceLoss = resolve
  }

  /** False once another process has the lock. While the database is down no process can take it. */
  get held(): boolean {
    return !this.#isLost
  }

  /**
   * False when another process does not release it in time. Once true, nothing that an earlier process asked for is written any
   * more. Rejects when the database cannot be reached.
   */
  async acquire(): Promise<boolean> {
    const end = monotonicClock.now() + this.#times.waitMs
    for (let isFirst = true; (await this.#attempt()) !== 'had'; isFirst = false) {
      if (isFirst)
        this.#logger.info(
          "another process uses this node's number in the database, and this one waits for it to stop",
        )
      if (monotonicClock.now() > end) return false
      await pause(this.#times.retryMs)
    }
    const formerEnd = monotonicClock.now() + formerMs
    while (await this.#endFormer()) {
      if (monotonicClock.now() > formerEnd) return false
      await pause(formerLookMs)
    }
    this.#keeping = this.#keep()
    return true
  }

  async release(): Promise<void> {
    this.#released.abort()
    await this.#keeping
    this.#connection?.release(true)
    this.#connection = undefined
    await this.#pool.end()
  }

  /**
   * Ends the connections of an earlier process. The server works on what a process sent before it was killed, for as long as it
   * takes: what commits after the next one has read its shares would be unknown to it.
   * @returns whether there are any still
   */
  async #endFormer(): Promise<boolean> {
    // Otherwise a transaction sees connections as they were when it looked first.
    await this.#connection?.query('select pg_stat_clear_snapshot()')
    const former = await this.#connection?.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = $1 and datname = current_database() and pid <> pg_backend_pid()`,
      [this.#connectionName],
    )
    return (former?.rows.length ?? 0) > 0
  }

  async #attempt(): Promise<Attempt> {
    const connection = await this.#pool.connect()
    let attempt: Attempt = 'taken'
    try {
      attempt = await this.#tryOn(connection)
    } finally {
      if (attempt !== 'had') connection.release(true)
    }
    if (attempt === 'had') this.#connection = connection
    return attempt
  }

  async #tryOn(connection: PooledConnection): Promise<Attempt> {
    await connection.query('begin')
    await requirePrimary(connection)
    await connection.query(`set local idle_in_transaction_session_timeout = ${this.#times.leaseMs}`)
    const { rows } = await connection.query(this.#locks.take)
    if (rows[0]?.held === true) {
      this.#backend = rows[0].pid
      return 'had'
    }
    const holders = await connection.query(this.#locks.holders)
    // The process may take a lock that is released at this moment, too.
    return holders.rows.every(({ pid }) => pid === this.#backend) ? 'zombie' : 'taken'
  }

  async #keep(): Promise<void> {
    while (await this.#pauseFor(this.#times.heartbeatMs)) {
      if (await this.#beats()) continue
      if (!(await this.#retake())) return
    }
  }

  async #beats(): Promise<boolean> {
    try {
      if (this.#connection !== undefined) await requirePrimary(this.#connection)
      return true
    } catch {
      this.#connection?.release(true)
      this.#connection = undefined
      return false
    }
  }

  /** Takes the lock again. False when another process has it, or this one releases it. */
  async #retake(): Promise<boolean> {
    do {
      const attempt = await this.#attempt().catch(() => 'unreachable' as const)
      if (attempt === 'had') return true
      if (attempt === 'taken') {
        this.#isLost = true
        this.#announceLoss()
        return false
      }
    } while (await this.#pauseFor(this.#times.retryMs))
    return false
  }

  /** False when the lock is released meanwhile. */
  async #pauseFor(ms: number): Promise<boolean> {
    const { signal } = this.#released
    await pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
    return !signal.aborted
  }
}

/** @throws where the server follows another, whose locks alone count */
async function requirePrimary(connection: PooledConnection): Promise<void> {
  const { rows } = await connection.query('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby === true)
    throw new Error('the server is a standby: the address must lead to the one that writes')
}

/** A new claim, before `acquire`. */
export async function createPostgresClaim(config: ClaimConfig): Promise<PostgresClaim> {
  const pool = await createPool(config.url, { connections: 1, statementMs: attemptMs })
  return new PostgresClaim(pool, config)
}
