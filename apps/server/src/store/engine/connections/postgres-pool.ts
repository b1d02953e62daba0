import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase, ClientConfig, Pool, PoolClient, PoolConfig, QueryConfig, QueryResult } from 'pg'
import { storableText } from '../../schema/text.ts'
import { PostgresTarget } from '../address/postgres-address.ts'
import { CopyIn } from './postgres-copy.ts'
import { isUnusable } from './postgres-errors.ts'

export interface PoolOptions {
  readonly connections: number
  /** Longest time of a statement, in milliseconds. The server ends it; the pool gives up on a server that does not respond. */
  readonly statementMs: number
  /** Names its connections at the server; changes carry the name of the connection that made them. */
  readonly name?: string
}

/** Longest time to open a connection, or to wait for a free one. */
const connectMs = 5000

/**
 * The client waits this much longer than the server, so that the server is first to report why it ended a statement.
 */
const responseMs = 2000

/**
 * A transaction whose client is gone or stuck releases its locks after this. Until then the flushes of all nodes may wait for
 * it, and a node that starts.
 */
const idleTransactionMs = 5000

/** Longest wait for the end of what was given up on, and how often to look. */
const abandonedMs = 2000
const abandonedLookMs = 20

/** Time for an orderly close of connections. */
const closingMs = 2000

/**
 * One connection with one holder. Once it is broken or late, all further queries on it fail at once, and it closes when
 * it is released.
 */
export class PooledConnection {
  readonly #client: PoolClient
  readonly #statementMs: number
  readonly #broke: () => void
  #failure: unknown

  /** @param broke it is given up, whatever the server still does on it */
  constructor(client: PoolClient, statementMs: number, broke: () => void) {
    this.#client = client
    this.#statementMs = statementMs
    this.#broke = broke
    // A client error without a listener ends the process, and the pool listens to idle clients only.
    client.on('error', (error) => this.#break(error))
  }

  /** @param statementMs another limit than the pool's; the server's setting must match it */
  async query(
    sql: string,
    parameters: readonly unknown[] = [],
    statementMs = this.#statementMs,
  ): Promise<QueryResult> {
    return await this.#guarded(() => this.#client.query(timed(sql, parameters, statementMs + responseMs)))
  }

  /** Adds rows in the text form of COPY by `copy … from stdin`: several times as fast as inserts. */
  async copyIn(sql: string, rows: Uint8Array): Promise<void> {
    await this.#guarded(() => this.#client.query(new CopyIn(sql, rows)).done)
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      return await work()
    } catch (error) {
      if (isUnusable(error)) this.#break(error)
      throw error
    }
  }

  /** @param discard closes it: its transaction did not end */
  release(discard = false): void {
    this.#client.release(discard || this.#failure !== undefined)
  }

  #break(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#broke()
  }
}

/**
 * Makes a query with a time limit, which the driver knows and its types do not. A text that the server refuses to read, of somebody who asks for
 * a name that no row can have, is one that it can.
 */
function timed(text: string, parameters: readonly unknown[], queryMs: number): QueryConfig {
  const values = parameters.map((value) => (typeof value === 'string' ? storableText(value) : value))
  return Object.assign({ text, values }, { query_timeout: queryMs })
}

/** The server's process for one connection, told apart from all before and after it. */
interface Backend {
  readonly pid: number
  readonly started: number
}

const startedOf = '(extract(epoch from backend_start) * 1000000)::bigint'
const readBackend = `select pid, ${startedOf} as started from pg_stat_activity where pid = pg_backend_pid()`
const endBackends = `select pg_terminate_backend(pid)
  from pg_stat_activity join unnest($1::int[], $2::bigint[]) as given (pid, started) using (pid)
  where ${startedOf} = given.started`

/** Connections of one database. */
export class ConnectionPool {
  readonly #pool: Pool
  readonly #target: PostgresTarget
  readonly #statementMs: number
  readonly #backends: WeakMap<ClientBase, Backend>
  readonly #connections = new WeakMap<PoolClient, PooledConnection>()
  /** Server processes of connections that broke: each may have a statement yet to run. */
  readonly #abandoned = new Set<Backend>()
  readonly #open = new Set<PoolClient>()
  #ending: Promise<void> | undefined

  /** @param backends of its clients, as far as they are known */
  constructor(
    pool: Pool,
    target: PostgresTarget,
    statementMs: number,
    backends: WeakMap<ClientBase, Backend>,
  ) {
    this.#pool = pool
    this.#target = target
    this.#statementMs = statementMs
    this.#backends = backends
    pool.on('connect', (client) => {
      this.#open.add(client)
      this.#connections.set(client, this.#connectionOver(client))
    })
    pool.on('remove', (client) => this.#open.delete(client))
    // The pool replaces an idle connection that breaks; the next query gets a fault if that fails too.
    pool.on('error', () => undefined)
  }

  /**
   * Rejects when no connection is free, or can be opened, in time. What was asked for on connections that broke is written by
   * now, or never.
   */
  async connect(): Promise<PooledConnection> {
    const client = await this.#target.connect(() => this.#pool.connect())
    const connection = this.#connections.get(client) ?? this.#connectionOver(client)
    if (this.#abandoned.size === 0) return connection
    try {
      await this.#endAbandoned(connection)
      return connection
    } catch (error) {
      connection.release(true)
      throw error
    }
  }

  #connectionOver(client: PoolClient): PooledConnection {
    return new PooledConnection(client, this.#statementMs, () => {
      const backend = this.#backends.get(client)
      if (backend !== undefined) this.#abandoned.add(backend)
    })
  }

  /**
   * Ends the statements of broken connections. A network may deliver one long after its client gave it up: a later reader would be
   * wrong when it runs.
   */
  async #endAbandoned(connection: PooledConnection): Promise<void> {
    const provided = [...this.#abandoned]
    const parameters = [provided.map(({ pid }) => pid), provided.map(({ started }) => started)]
    const end = performance.now() + abandonedMs
    while ((await connection.query(endBackends, parameters)).rows.length > 0) {
      if (performance.now() > end) throw new Error('the server still works on a statement that was given up')
      await pause(abandonedLookMs)
    }
    for (const backend of provided) this.#abandoned.delete(backend)
  }

  /** Closes every connection, also those of a silent server. A second call does nothing. */
  end(): Promise<void> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, closingMs)
    await Promise.race([this.#pool.end(), late])
    clearTimeout(timer)
    for (const client of this.#open) destroySocket(client)
  }
}

/** Ends a connection on which the server may say nothing any more. The driver's types hide the socket. */
export function destroySocket(client: ClientBase): void {
  const { connection } = client as ClientBase & { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}

const bigint = 20

/** A pool whose 64-bit integers are numbers. */
export async function createPool(
  url: string,
  { connections, statementMs, name = 'tollgate' }: PoolOptions,
): Promise<ConnectionPool> {
  const { default: pg } = await import('pg')
  const limits = `set statement_timeout = ${statementMs}; set idle_in_transaction_session_timeout = ${idleTransactionMs}`
  const backends = new WeakMap<ClientBase, Backend>()
  const target = new PostgresTarget(url)
  // Each connection is made with the encryption that the server took last.
  class TargetedClient extends pg.Client {
    constructor(config?: ClientConfig) {
      super({ ...config, ...target.config })
    }
  }
  const pool = new pg.Pool({
    Client: TargetedClient,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    max: connections,
    // Not in the start-up message: poolers in front of the server refuse that.
    async onConnect(client: ClientBase) {
      const backend = backendOf(client, await client.query(timed(`${limits}; ${readBackend}`, [], connectMs)))
      if (backend !== undefined) backends.set(client, backend)
    },
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === bigint ? safeInteger : pg.types.getTypeParser(type, format ?? 'text'),
    },
  } as PoolConfig)
  return new ConnectionPool(pool, target, statementMs, backends)
}

/** `undefined` behind a pooler, which has several connections of its own for this one. The driver's types hide its process. */
function backendOf(client: ClientBase, results: unknown): Backend | undefined {
  const { rows = [] } = (Array.isArray(results) ? results.at(-1) : results) as { rows?: Backend[] }
  const [backend] = rows
  return backend?.pid === (client as { processID?: number }).processID ? backend : undefined
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${text} in the database is beyond the safe integers`)
  return number
}
