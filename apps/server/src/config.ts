import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { passwordMaxLength, passwordMinLength } from '@tollgate/api'
import { type ProviderOption, type ProviderOptions, providerOptions } from '@tollgate/providers'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { availableCores } from './lib/available-cores.ts'
import { findUnusableProxy } from './lib/outbound/environment-proxy.ts'
import { copyChoices } from './store/engine/upgrade/upgrade-report.ts'
import { type TelemetryConfig, telemetryEnvironment } from './telemetry/environment.ts'
import { type UsageExportConfig, usageExportEnvironment } from './telemetry/usage-export/environment.ts'

const flag = z.enum(['true', 'false', '1', '0', '']).transform((text) => text === 'true' || text === '1')
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)

function isRange(text: string): boolean {
  return isIP(text) !== 0 || ipaddr.isValidCIDR(text)
}

const ranges = z
  .string()
  .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
  .refine((list) => list.every(isRange), 'must be a comma list of addresses or CIDR ranges')

const canSharePorts = process.platform === 'linux'
const maxWorkers = 128
const workersRule = `must be auto or a whole number from 1 to ${maxWorkers}`

/** Data directory by default, from the working directory. */
export const defaultDataDir = './data'

/** The environment as the product reads it. Everything has a default: no variable is needed to start. */
const environment = z.object({
  PORT: integer(0, 65535).default(3000),
  /** Absent: every address of both families. A literal of IPv6 may stand in brackets, as in an address of the web. */
  HOST: z
    .string()
    .min(1)
    .transform((text) => text.replace(/^\[(.+)\]$/, '$1'))
    .optional(),
  DATA_DIR: z.string().min(1).default(defaultDataDir),
  /** Processes that serve together on this machine, each a node of the fleet; `auto` for one of each core. Absent: one. */
  WORKERS: z
    .string()
    .regex(/^(auto|\d+)$/, workersRule)
    .transform((text) => (text === 'auto' ? text : Number(text)))
    .refine((count) => count === 'auto' || (count >= 1 && count <= maxWorkers), workersRule)
    .optional(),
  DATABASE_URL: z
    .string()
    .regex(/^(postgres|postgresql):\/\/.+/, 'must be a postgres:// or postgresql:// address')
    .optional(),
  /** The PostgreSQL server itself, where `DATABASE_URL` is a transaction pooler: notifications need a session. */
  DATABASE_LISTEN_URL: z
    .string()
    .regex(/^(postgres|postgresql):\/\/.+/, 'must be a postgres:// or postgresql:// address')
    .optional(),
  /** Bounds the time for which the only node of a PostgreSQL database serves while the database is gone; the journal's room does by default. */
  SERVE_WITHOUT_DATABASE_SECONDS: integer(10, 1_000_000).optional(),
  /** Counts the limits of a fleet at high rates; without it, or while it is gone, PostgreSQL does. */
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/[^/\s]+(\/\d*)?$/, 'must be a redis:// or rediss:// address')
    .optional(),
  /** Master key of sealed secrets; made at first start in a 0600 file when absent. */
  TOLLGATE_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  /** The master key before it: what was sealed with it opens, and is sealed anew. */
  TOLLGATE_SECRET_PREVIOUS: z.string().min(32, 'must have at least 32 characters').optional(),
  /**
   * Tables that a start over a database of an older version copies into the data folder first: all except the log's, all, none.
   */
  UPGRADE_COPY: z.enum(copyChoices).default('tables'),
  /** Sets a new installation up at its start, with an administrator named `root`. */
  TOLLGATE_ROOT_PASSWORD: z
    .string()
    .min(passwordMinLength, `must have at least ${passwordMinLength} characters`)
    .max(passwordMaxLength, `must have at most ${passwordMaxLength} characters`)
    .optional(),
  TRUSTED_PROXIES: ranges.default([]),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAX_BODY_MB: integer(1, 1024).default(64),
  /** Largest form: audio to transcribe, images to change. Large files wait in temporary files. */
  MAX_UPLOAD_MB: integer(1, 16_384).default(256),
  /** Bytes of request bodies in flight, all callers together; calls beyond get 503. */
  MAX_INFLIGHT_MB: integer(1, 65_536).default(512),
  /** Keys that one user may have. */
  MAX_USER_TOKENS: integer(1, 1_000_000).default(1000),
  /** Largest answer of an upstream that is not a stream. */
  MAX_RESPONSE_MB: integer(1, 1024).default(128),
  /** Bytes of such answers in memory, all callers together; those beyond wait, and then get 503. */
  MAX_RESPONSE_INFLIGHT_MB: integer(1, 65_536).default(256),
  /** Largest file that is fetched for an upstream that takes none by address. */
  MAX_FILE_DOWNLOAD_MB: integer(1, 1024).default(20),
  /** Images in one message to Gemini; -1 for any number. */
  GEMINI_VISION_MAX_IMAGE_NUM: integer(-1, 100_000).default(16),
  MAX_JSON_DEPTH: integer(8, 10_000).default(128),
  /** HTTP client for upstreams: this program's own, or the platform's, a way out when the own one has a fault. */
  UPSTREAM_HTTP: z.enum(['own', 'fetch']).default('own'),
  /** Longest wait for a connection to an upstream: look-up, TCP and TLS together, in seconds. */
  CONNECT_TIMEOUT: integer(1, 300).default(5),
  /** Longest wait for the first event of a stream or for a whole answer, in seconds. */
  RELAY_TIMEOUT: integer(1, 86_400).default(600),
  /** Longest silence inside a stream, in seconds. */
  STREAMING_TIMEOUT: integer(1, 86_400).default(300),
  /** Longest time in which neither side of a realtime session says anything, in seconds. */
  REALTIME_IDLE_TIMEOUT: integer(1, 86_400).default(900),
  /** Longest silence of a connection that has no admitted call under way, in seconds; those have the relay's. */
  IDLE_TIMEOUT: integer(1, 255).default(120),
  /**
   * Seconds for which a node continues to serve after a stop signal, while `/readyz` says that it stops: proxies need some to turn to
   * other nodes. Absent: 5 in a fleet, else 0.
   */
  DRAIN_SECONDS: integer(0, 600).optional(),
  /** Seconds that calls in flight may take to end after that. */
  SHUTDOWN_TIMEOUT: integer(0, 3600).default(25),
  /** Longest time that the record of a charge waits to be synced to the disk, in milliseconds; 0 leaves it to the system. */
  JOURNAL_SYNC_MS: integer(0, 60_000).default(1000),
  /** Notices of one type that a person gets within the time below, in minutes. */
  NOTIFY_LIMIT_COUNT: integer(1, 1000).default(2),
  NOTIFICATION_LIMIT_DURATION_MINUTE: integer(1, 10_080).default(10),
  GLOBAL_API_RATE_LIMIT_ENABLE: flag.default(true),
  GLOBAL_API_RATE_LIMIT: integer(1, 1_000_000).default(6000),
  GLOBAL_API_RATE_LIMIT_DURATION: integer(1, 86_400).default(180),
  CRITICAL_RATE_LIMIT: integer(1, 1_000_000).default(20),
  CRITICAL_RATE_LIMIT_DURATION: integer(1, 86_400).default(1200),
  /** Address of Stripe's API, for a fake or a proxy; Stripe's own when absent. */
  STRIPE_API_URL: z
    .string()
    .regex(/^https?:\/\/[^/]+\/?$/, 'must be an http:// or https:// address without a path')
    .transform((text) => new URL(text))
    .optional(),
  /** Gives each user who registers an unlimited API key. */
  GENERATE_DEFAULT_TOKEN: flag.default(false),
  /** Minutes between tests of all channels; absent means never. */
  CHANNEL_TEST_FREQUENCY: integer(1, 525_600).optional(),
  /** Minutes between updates of all balances; absent means never. */
  CHANNEL_UPDATE_FREQUENCY: integer(1, 525_600).optional(),
  /** Lets this node poll upstreams for drawings, music and videos; one of several does at a time. */
  UPDATE_TASK: flag.default(true),
  /** Usual time in which every open task is asked about once, in seconds. */
  TASK_POLL_SECONDS: integer(1, 3600).default(15),
  /** A task that has not ended after so many minutes has failed. */
  TASK_TIMEOUT_MINUTES: integer(1, 10_080).default(60),
  /** First pause before an automatically disabled channel is probed, in seconds. */
  CHANNEL_PROBE_SECONDS: integer(1, 86_400).default(60),
})

/** Options of the operator about providers, each under the provider's name for it. */
const providerEnvironment = z.object(
  Object.fromEntries(Object.entries(providerOptions).map(([name, option]) => [name, optionOf(option)])),
)

function optionOf({ values, standard }: ProviderOption) {
  const text = values === 'flag' ? flag.transform(String) : z.enum(values)
  return text.default(standard)
}

export interface Config
  extends Readonly<
    Omit<z.output<typeof environment>, 'DATA_DIR' | 'WORKERS'> & TelemetryConfig & UsageExportConfig
  > {
  readonly dataDir: string
  /** The folder of what this node has for itself: `dataDir`, except of a worker. */
  readonly nodeDir: string
  /** Processes that serve together, at least one. */
  readonly workers: number
  readonly providerOptions: ProviderOptions
}

/** A setting of the process that cannot be used: one sentence for the terminal. */
class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads and checks the environment. Throws `ConfigError` naming the variable; never prints its value. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // A variable that is set but blank counts as absent, as compose files write them.
  const provided = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  refuseUnusableProxy(provided)
  const { DATA_DIR, WORKERS, ...rest } = parsed(environment, provided)
  // The schema has a text for every option.
  const options = parsed(providerEnvironment, provided) as ProviderOptions
  return {
    ...rest,
    ...parsed(telemetryEnvironment, provided),
    ...parsed(usageExportEnvironment, provided),
    dataDir: resolve(DATA_DIR),
    nodeDir: resolve(DATA_DIR),
    workers: workersOf(WORKERS, rest),
    providerOptions: options,
  }
}

/**
 * Counts the processes that serve. One process alone writes an SQLite file, and holds its balances in memory.
 * @throws ConfigError where several are wanted that cannot work together
 */
function workersOf(
  wish: number | 'auto' | undefined,
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
): number {
  const canShare = DATABASE_URL !== undefined && canSharePorts
  if (wish === 'auto') return canShare ? Math.min(availableCores(), maxWorkers) : 1
  if (wish === undefined || wish === 1 || canShare) return wish ?? 1
  throw new ConfigError(
    DATABASE_URL === undefined
      ? `WORKERS is ${wish}, but one process alone serves an SQLite file: set DATABASE_URL to a PostgreSQL database (tollgate move --to carries the file over), or leave WORKERS out`
      : `WORKERS is ${wish}, but processes share a port on Linux alone: leave WORKERS out, or run several nodes behind a proxy`,
  )
}

/** The runtime would fail every call to an upstream by such a proxy, one after the other. */
function refuseUnusableProxy(provided: Readonly<Record<string, string | undefined>>): void {
  const unusable = findUnusableProxy(provided)
  if (unusable !== undefined) throw new ConfigError(`${unusable.name} ${unusable.problem}`)
}

function parsed<Output>(schema: z.ZodType<Output>, provided: Readonly<Record<string, unknown>>): Output {
  const result = schema.safeParse(provided)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw new ConfigError(`${issue?.path.join('.') ?? 'environment'} ${issue?.message ?? 'is invalid'}`)
}
