import { setTimeout as pause } from 'node:timers/promises'
import type { Client, ClientConfig } from 'pg'
import { Mutex } from '../../../lib/async/mutex.ts'
import type { Logger } from '../../../lib/logger.ts'
import { PostgresTarget } from '../address/postgres-address.ts'
import { destroySocket } from './postgres-pool.ts'

/** The times of a listener. */
export interface ListenerTimes {
  /** Pause between two signs of life. */
  readonly beatMs: number
  /** Longest wait for a connection, or for a response on it. */
  readonly responseMs: number
  readonly retryMs: number
}

const defaultTimes: ListenerTimes = { beatMs: 1000, responseMs: 3000, retryMs: 250 }

export interface ListenerOptions {
  readonly url: string
  readonly channels: readonly string[]
  /** Names the connection at the server. */
  readonly name: string
  readonly logger: Pick<Logger, 'info' | 'warn'>
  readonly times?: ListenerTimes
  notified(channel: string, payload: string): void
  /**
   * The connection hears from now on. Catches up with what was missed; the listener counts as deaf until then.
   * @param heardMs when it last heard, by the server's clock; `undefined` when it is the first connection
   * @param nowMs by the same clock
   */
  connected(heardMs: number | undefined, nowMs: number): Promise<void>
}

const readClock = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms'

/**
 * One connection that listens to notifications for as long as it is open, and connects again when it breaks. Once a second it
 * asks the server for a sign of life: what was announced before the response has been heard by then.
 */
export class PostgresListener {
  readonly #options: ListenerOptions
  readonly #times: ListenerTimes
  readonly #target: PostgresTarget
  readonly #closed = new AbortController()
  /** The driver takes one query at a time. */
  readonly #turns = new Mutex()
  #client: Client | undefined
  /** Time of the request for the last sign of life that was answered: by the monotonic clock, and by the server's. */
  #heardAt = Number.NEGATIVE_INFINITY
  #heardMs: number | undefined
  #running: Promise<void> | undefined

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#target = new PostgresTarget(options.url)
    this.#times = options.times ?? defaultTimes
  }

  /** Time since it last heard everything. */
  get silentMs(): number {
    return performance.now() - this.#heardAt
  }

  /** Resolves when it hears for the first time; rejects when the server cannot be reached. */
  async start(): Promise<void> {
    const first = await this.#connect()
    this.#running = this.#run(first)
  }

  /** Rejects while the connection is broken. */
  async notify(channel: string, payload: string): Promise<void> {
    const client = this.#client
    if (client === undefined) throw new Error('the server cannot be reached')
    await this.#turns.run(() => client.query('select pg_notify($1, $2)', [channel, payload]))
  }

  async close(): Promise<void> {
    this.#closed.abort()
    if (this.#client !== undefined) destroySocket(this.#client)
    await this.#running
  }

  async #run(first: Connected): Promise<void> {
    let connected: Connected | undefined = first
    const closed = this.#closed.signal
    while (!closed.aborted) {
      if (connected === undefined) await rest(this.#times.retryMs, closed)
      else await this.#beat(connected)
      if (closed.aborted) return
      if (connected !== undefined)
        this.#options.logger.warn(
          {},
          'the connection that listens for changes of other nodes broke and is made again: check DATABASE_LISTEN_URL if this repeats',
        )
      connected = await this.#connect().catch(() => undefined)
      if (connected !== undefined)
        this.#options.logger.info({}, 'the connection listens for changes of other nodes again')
    }
    connected?.client.end().catch(() => undefined)
  }

  /** Resolves when the connection is broken. */
  async #beat({ client, broken }: Connected): Promise<void> {
    try {
      while (!broken.aborted) {
        await rest(this.#times.beatMs, broken)
        await this.#ask(client)
      }
    } catch {
      // It is broken, whatever it said.
    } finally {
      this.#client = undefined
      destroySocket(client)
    }
  }

  #connect(): Promise<Connected> {
    return this.#target.connect(() => this.#connectOnce())
  }

  async #connectOnce(): Promise<Connected> {
    const { default: pg } = await import('pg')
    const { name, channels, notified, connected } = this.#options
    // The driver knows a time limit for each query; its types do not.
    const client = new pg.Client({
      ...this.#target.config,
      application_name: name,
      connectionTimeoutMillis: this.#times.responseMs,
      query_timeout: this.#times.responseMs,
      keepAlive: true,
    } as ClientConfig)
    const broken = new AbortController()
    client.on('error', () => broken.abort())
    client.on('end', () => broken.abort())
    client.on('notification', ({ channel, payload = '' }) => notified(channel, payload))
    try {
      await client.connect()
      await client.query(channels.map((channel) => `listen ${channel}`).join('; '))
      await connected(this.#heardMs, await nowOf(client))
      await this.#ask(client)
    } catch (error) {
      destroySocket(client)
      throw error
    }
    this.#client = client
    return { client, broken: broken.signal }
  }

  async #ask(client: Client): Promise<void> {
    await this.#turns.run(async () => {
      const requestedAt = performance.now()
      this.#heardMs = await nowOf(client)
      this.#heardAt = requestedAt
    })
  }
}

interface Connected {
  readonly client: Client
  /** Aborted when the connection breaks. */
  readonly broken: AbortSignal
}

async function nowOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ now_ms: number }>(readClock)
  return Math.floor(rows[0]?.now_ms ?? 0)
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
