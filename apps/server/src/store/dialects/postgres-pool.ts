import type { ClientBase, Pool, PoolClient, PoolConfig, QueryConfig, QueryResult } from 'pg'
import { isUnavailable } from './postgres-errors.ts'

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

/** Time for an orderly close of connections. */
const closingMs = 2000

/**
 * One connection with one holder. Once it is broken or late, all further queries on it fail at once, and it closes when
 * it is released.
 */
export class PooledConnection {
  readonly #client: PoolClient
  readonly #statementMs: number
  #failure: unknown

  constructor(client: PoolClient, statementMs: number) {
    this.#client = client
    this.#statementMs = statementMs
    // A client error without a listener ends the process, and the pool listens to idle clients only.
    client.on('error', (error) => this.#break(error))
  }

  /** @param statementMs another limit than the pool's; the server's setting must match it */
  async query(
    sql: string,
    parameters: readonly unknown[] = [],
    statementMs = this.#statementMs,
  ): Promise<QueryResult> {
    if (this.#failure !== undefined) throw this.#failure
    try {
      return await this.#client.query(timed(sql, parameters, statementMs + responseMs))
    } catch (error) {
      if (isUnavailable(error)) this.#break(error)
      throw error
    }
  }

  /** @param discard closes it: its transaction did not end */
  release(discard = false): void {
    this.#client.release(discard || this.#failure !== undefined)
  }

  #break(error: unknown): void {
    this.#failure ??= error
  }
}

/** The driver knows a time limit for each query; its types do not. */
function timed(text: string, values: readonly unknown[], queryMs: number): QueryConfig {
  return Object.assign({ text, values: [...values] }, { query_timeout: queryMs })
}

/** Connections of one database. */
export class ConnectionPool {
  readonly #pool: Pool
  readonly #statementMs: number
  readonly #connections = new WeakMap<PoolClient, PooledConnection>()
  readonly #open = new Set<PoolClient>()
  #ending: Promise<void> | undefined

  constructor(pool: Pool, statementMs: number) {
    this.#pool = pool
    this.#statementMs = statementMs
    pool.on('connect', (client) => {
      this.#open.add(client)
      this.#connections.set(client, new PooledConnection(client, statementMs))
    })
    pool.on('remove', (client) => this.#open.delete(client))
    // The pool replaces an idle connection that breaks; the next query gets a fault if that fails too.
    pool.on('error', () => undefined)
  }

  /** Rejects when no connection is free, or can be opened, in time. */
  async connect(): Promise<PooledConnection> {
    const client = await this.#pool.connect()
    return this.#connections.get(client) ?? new PooledConnection(client, this.#statementMs)
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
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    max: connections,
    // Not in the start-up message: poolers in front of the server refuse that.
    onConnect: (client: ClientBase) => client.query(timed(limits, [], connectMs)),
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === bigint ? safeInteger : pg.types.getTypeParser(type, format ?? 'text'),
    },
  } as PoolConfig)
  return new ConnectionPool(pool, statementMs)
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${text} in the database is beyond the safe integers`)
  return number
}
