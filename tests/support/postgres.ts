import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { at } from '../../scripts/lib/root.mjs'
import { findTool } from '../../scripts/lib/tools.mjs'
import { freePort } from './network/free-port.ts'
import { type ServerProcess, startServer } from './processes/server-process.ts'
import { until } from './until.ts'

/** A PostgreSQL server of the tests' own, thrown away at the end. */
export interface Postgres {
  /**
   * Makes an empty database (some 30 ms) and returns its URL; give every test file its own.
   * @param model URL of another one here that it becomes a copy of; nothing may be connected to that one
   */
  createDatabase(model?: string): Promise<string>
  /** The server is gone from one moment to the next; what was committed comes back with `start`. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends every connection to the server but this one: what an administrator, a failover or a crash of a backend does. */
  terminateBackends(): Promise<void>
  /** Starts a server that follows this one, and that can be read. */
  startStandby(): Promise<Standby>
  /** The port on 127.0.0.1, for a proxy in front. */
  readonly port: number
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

/** A server that follows another one. */
export interface Standby {
  /** @param database URL of one of the other server */
  urlOf(database: string): string
  /** Resolves when it takes writes, and follows nobody any more. */
  promote(): Promise<void>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
}

const superuser = 'tollgate'

/** Looks for a PostgreSQL server on this machine: `describe.skipIf(!hasPostgres())`. */
export function hasPostgres(): boolean {
  return findTool('postgres') !== undefined
}

/**
 * Starts a real server on a loopback port with data in a temporary folder, in about a second. Throws when PostgreSQL is
 * not installed. The server ends with this process even when `stop` is never called.
 * @param more settings beside or instead of those that suit tests
 * @param files that only the server may read, such as its key
 */
export async function startPostgres(
  more: Readonly<Record<string, string>> = {},
  files: readonly string[] = [],
): Promise<Postgres> {
  const programs = findTool('postgres')
  if (programs === undefined)
    throw new Error('no PostgreSQL server here; install one or name it in TOLLGATE_TEST_POSTGRES_BIN')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'))
  const identity = serverIdentity()
  for (const file of identity ? [folder, ...files] : [])
    chownSync(file, identity?.uid ?? 0, identity?.gid ?? 0)
  for (const file of files) chmodSync(file, statSync(file).isDirectory() ? 0o700 : 0o600)
  const data = join(folder, 'data')
  await initialise(join(programs, 'initdb'), data)

  const port = await freePort()
  let server: ServerProcess | undefined
  let databases = 0
  const start = async () => {
    server = await serve(join(programs, 'postgres'), data, { ...settings, ...more, port: String(port) })
  }
  const end = async () => {
    // Immediate shutdown: no checkpoint, as after a crash.
    await server?.kill('SIGQUIT')
  }
  await start()
  const url = (database: string) => `postgres://${superuser}@127.0.0.1:${port}/${database}`
  return {
    async createDatabase(model) {
      const name = `test_${++databases}`
      const template = model === undefined ? 'template1' : new URL(model).pathname.slice(1)
      await using sql = new SQL(url('postgres'), { max: 1 })
      await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${template}`)
      return url(name)
    },
    kill: end,
    start,
    async terminateBackends() {
      await using sql = new SQL(url('postgres'), { max: 1 })
      await sql.unsafe(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      )
    },
    startStandby: () => startStandby(programs, port, folder),
    port,
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

async function startStandby(programs: string, primary: number, folder: string): Promise<Standby> {
  const data = join(folder, `standby-${crypto.randomUUID()}`)
  const from = ['--host=127.0.0.1', `--port=${primary}`, `--username=${superuser}`, `--pgdata=${data}`]
  const how = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']
  const [program, args] = asServer(join(programs, 'pg_basebackup'), [...from, ...how])
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd: tmpdir() })
  if (status !== 0) throw new Error(`pg_basebackup failed: ${error?.message ?? stderr}`)
  const port = await freePort()
  const server = await serve(join(programs, 'postgres'), data, { ...settings, port: String(port) })
  return {
    urlOf: (database) => Object.assign(new URL(database), { port: String(port) }).href,
    async promote() {
      await using sql = new SQL(`postgres://${superuser}@127.0.0.1:${port}/postgres`, { max: 1 })
      await sql.unsafe('SELECT pg_promote()')
    },
    async stop() {
      await server.kill('SIGQUIT')
      rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

/** `postgres` refuses to run as root, so root lends the server the account of a service user. */
function serverIdentity(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const user of ['postgres', 'nobody']) {
    const uid = idOf(user, '-u')
    const gid = idOf(user, '-g')
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody')
}

function idOf(user: string, which: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [which, user], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}

/** The command that runs a program as the server's user; on Linux it ends with this process, come what may. */
function asServer(program: string, args: readonly string[]): [string, string[]] {
  if (process.platform !== 'linux') return [program, [...args]]
  const identity = serverIdentity()
  const user = identity ? [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, '--clear-groups'] : []
  return ['setpriv', ['--pdeathsig=QUIT', ...user, '--', program, ...args]]
}

/** Copies the folder of an empty server that an earlier test made, in a tenth of the time that `initdb` takes, or makes one. */
async function initialise(initdb: string, data: string): Promise<void> {
  const made = at('node_modules', '.tollgate', `postgres${initdb.replace(/\W+/g, '-')}`)
  if (copyFolder(made, data)) return
  const options = ['--auth=trust', `--username=${superuser}`, '--encoding=UTF8', '--locale=C', '--no-sync']
  const [program, args] = asServer(initdb, ['--pgdata', data, ...options])
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd: tmpdir() })
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`)
  const copy = `${made}.${crypto.randomUUID()}`
  // Another test may have put its own there meanwhile, which is the same.
  const isStored = copyFolder(data, copy) && (await isDone(rename(copy, made)))
  if (!isStored) rmSync(copy, { recursive: true, force: true })
}

const isDone = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

/** Copies a folder with its owners; false when it is not there. */
function copyFolder(from: string, to: string): boolean {
  return spawnSync('cp', ['-a', from, to], { stdio: 'ignore' }).status === 0
}

/**
 * Durability over a power cut of the machine is off: the data is temporary. Commits still reach the system before they
 * return, so that a killed server loses none.
 */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  max_connections: '100',
}

async function serve(
  postgres: string,
  data: string,
  configuration: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const options = Object.entries(configuration).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program, args] = asServer(postgres, ['-D', data, ...options])
  const server = await startServer([program, ...args])
  await until(() => {
    if (server.hasEnded) throw new Error(`postgres did not start: ${server.printed()}`)
    return /ready to accept (read-only )?connections/.test(server.printed()) || undefined
  }, 60_000)
  return server
}
