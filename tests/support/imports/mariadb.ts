import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { findTool } from '../../../scripts/lib/tools.mjs'
import { freePort } from '../network/free-port.ts'
import { startServer } from '../processes/server-process.ts'
import { until } from '../until.ts'

/** A MariaDB server of the tests' own, thrown away at the end. */
export interface MariaDb {
  /** Makes an empty database and returns its `mysql://` address, with a user who has a password. */
  createDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

/** Looks for a MariaDB server on this machine: `describe.skipIf(!hasMariaDb())`. */
export function hasMariaDb(): boolean {
  return findTool('mariadb') !== undefined
}

/** Starts a real server on a loopback port, with data in a temporary folder, in about two seconds. */
export async function startMariaDb(): Promise<MariaDb> {
  const program = findTool('mariadb')
  if (program === undefined)
    throw new Error('no MariaDB server here; install one or name it in TOLLGATE_TEST_MARIADB')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mariadb-'))
  const data = join(folder, 'data')
  const asUser = process.getuid?.() === 0 ? ['--user=root'] : []
  initialise(join(dirname(program), '..', 'bin', 'mariadb-install-db'), [...asUser, `--datadir=${data}`])
  const port = await freePort()
  const server = await startServer([
    program,
    '--no-defaults',
    ...asUser,
    `--datadir=${data}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    '--innodb-flush-log-at-trx-commit=0',
  ])
  const root = new SQL(`mysql://root@127.0.0.1:${port}/mysql`, { max: 1 })
  await until(async () => {
    if (server.hasEnded) throw new Error(`MariaDB ended: ${server.printed()}`)
    return await root.unsafe('select 1').then(
      () => true,
      () => undefined,
    )
  }, 20_000)
  return {
    async createDatabase(name) {
      await root.unsafe(`create database ${name} character set utf8mb4`)
      await root.unsafe(`create user '${name}'@'127.0.0.1' identified by 'a pass/word'`)
      await root.unsafe(`grant all on ${name}.* to '${name}'@'127.0.0.1'`)
      return `mysql://${name}:${encodeURIComponent('a pass/word')}@127.0.0.1:${port}/${name}`
    },
    async stop() {
      await root.close({ timeout: 0 })
      await server.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

function initialise(program: string, options: readonly string[]): void {
  const fixed = ['--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db']
  const { status, stderr, error } = spawnSync(program, [...fixed, ...options], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mariadb-install-db failed: ${error?.message ?? stderr}`)
}
