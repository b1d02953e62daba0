import { afterAll, describe, expect, it } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../tests/support/until.ts'
import { listProcesses, membersOf } from './processes.mjs'

const home = mkdtempSync(join(tmpdir(), 'tollgate-guard-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A command whose child starts others: one in a session of its own, one that ignores SIGTERM's kin, one whose parent has ended. */
const children = `
setsid sleep 60 & echo $! >> pids
sh -c 'trap "" INT HUP; sleep 60' & echo $! >> pids
sh -c 'sleep 60 & echo $! >> pids'
echo $$ >> pids; touch ready; wait`

const command = (work: string) => `
import { mkdtempSync } from 'node:fs'
import { guard } from ${JSON.stringify(join(import.meta.dir, 'guard.mjs'))}
import { runGuarded } from ${JSON.stringify(join(import.meta.dir, '../lib/run.mjs'))}
const folder = mkdtempSync(guard().folder + '/suite-')
await runGuarded('sh', ['-c', ${JSON.stringify(children)}], { cwd: ${JSON.stringify(work)}, folder, timeoutMs: 60_000 })
`

async function startCommand(runtime: string) {
  const work = mkdtempSync(join(home, 'work-'))
  const temporary = mkdtempSync(join(home, 'temporary-'))
  const file = join(work, 'command.mjs')
  writeFileSync(file, command(work))
  const env = { ...process.env, TMPDIR: temporary }
  const child = Bun.spawn([runtime, file], { cwd: work, env, stdout: 'ignore', stderr: 'pipe' })
  await until(() => existsSync(join(work, 'ready')) || undefined, 20_000)
  const pids = readFileSync(join(work, 'pids'), 'utf8').trim().split('\n').map(Number)
  const ids = listProcesses().flatMap(({ id, pid }) => (pids.includes(pid) ? [id] : []))
  expect(ids).toHaveLength(4)
  const left = () => listProcesses().filter(({ id }) => ids.includes(id))
  return { child, left, temporary }
}

describe.skipIf(process.platform === 'win32')('a guarded command', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'leaves nothing behind after %s',
    async (signal) => {
      const { child, left, temporary } = await startCommand('node')
      child.kill(signal)
      await child.exited
      await until(() => left().length === 0 || undefined, 15_000)
      await until(() => readdirSync(temporary).length === 0 || undefined, 15_000)
    },
  )

  it('is back only when all has ended, where it is asked to end', async () => {
    const { child, left, temporary } = await startCommand('node')
    child.kill('SIGINT')
    expect(await child.exited).toBe(130)
    expect(left()).toEqual([])
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('membersOf', () => {
  const of = (pid: number, parent: number, more: object = {}) => ({
    pid,
    parent,
    group: pid,
    session: 1,
    id: `${pid} 0`,
    environment: '',
    ...more,
  })
  const all = [
    of(10, 1),
    of(11, 10),
    of(12, 11),
    of(20, 1, { session: 10 }),
    of(30, 1, { environment: 'A=1\0TMPDIR=/tmp/run/suite\0' }),
    of(40, 1, { environment: 'HOME=/tmp\0' }),
    of(process.pid, 10),
  ]

  it('finds what descends from a leader, is in its session or has the folder in its environment', () => {
    const work = { leaders: new Set([10]), folder: '/tmp/run' }
    expect(membersOf(all, work).map(({ pid }) => pid)).toEqual([10, 11, 12, 20, 30])
  })

  it('finds nothing without a leader', () => {
    expect(membersOf(all, { leaders: new Set() })).toEqual([])
  })
})
