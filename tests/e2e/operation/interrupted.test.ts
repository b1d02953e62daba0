import { afterAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { listProcesses, membersOf } from '../../../scripts/guard/processes.mjs'
import { root } from '../../../scripts/lib/root.mjs'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(90_000))

const home = mkdtempSync(join(tmpdir(), 'i-'))
// The user that PostgreSQL runs as may pass through it.
chmodSync(home, 0o711)
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A run of one suite that starts every kind of server and then waits. */
interface Run {
  readonly npm: number
  /** The process that npm runs. */
  runner(): number
  /** Folder of all temporary files of the run. */
  readonly folder: string
  readonly exited: Promise<number>
  untilReady(): Promise<void>
  /** Notes which processes it has now. */
  look(): number
  /** Those of all that were noted that still run. */
  left(): readonly string[]
  /** Shared memory that its processes had. */
  readonly memory: ReadonlySet<string>
}

let runs = 0

function startRun(): Run {
  const folder = join(home, String(++runs))
  mkdirSync(folder, { mode: 0o711 })
  const ready = join(home, `${runs}.ready`)
  const env = { ...process.env, TMPDIR: folder, TOLLGATE_EVERY_SERVER: ready, npm_lifecycle_event: undefined }
  const command = ['npm', 'test', '--silent', '--', 'operation/every-server']
  const npm = Bun.spawn(command, { cwd: root, env, stdio: ['ignore', 'ignore', 'ignore'], detached: true })
  const noted = new Map<string, string>()
  const memory = new Set<string>()
  const members = () => membersOf(listProcesses(), { leaders: new Set([npm.pid]), folder })
  const run: Run = {
    npm: npm.pid,
    runner: () => members().find(({ pid }) => argumentsOf(pid).startsWith('node scripts/test.mjs'))?.pid ?? 0,
    folder,
    exited: npm.exited,
    async untilReady() {
      await until(() => {
        run.look()
        return existsSync(ready) || undefined
      }, 60_000)
    },
    look() {
      const now = members()
      for (const { id, pid } of now) {
        noted.set(id, argumentsOf(pid))
        for (const position of sharedMemoryOf(pid)) memory.add(position)
      }
      return now.length
    },
    left: () => listProcesses().flatMap(({ id }) => noted.get(id) ?? []),
    memory,
  }
  return run
}

const read = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
const argumentsOf = (pid: number) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
const sharedMemoryOf = (pid: number) => read(`/proc/${pid}/maps`).match(/\/dev\/shm\/PostgreSQL\S+/g) ?? []

type Moment = 'while it prepares' | 'while servers start' | 'while all servers run'

async function reach(run: Run, moment: Moment): Promise<void> {
  if (moment === 'while all servers run') return await run.untilReady()
  await until(() => run.runner() || undefined, 20_000)
  if (moment === 'while it prepares') return
  await until(() => {
    run.look()
    return readdirBelow(run.folder).some((name) => name.includes('tollgate-postgres-')) || undefined
  }, 60_000)
}

const readdirBelow = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' })

const cases: readonly (readonly [NodeJS.Signals, 'npm' | 'runner', Moment])[] = [
  ['SIGINT', 'npm', 'while all servers run'],
  ['SIGKILL', 'runner', 'while all servers run'],
  ['SIGTERM', 'npm', 'while servers start'],
  ['SIGKILL', 'npm', 'while servers start'],
  ['SIGHUP', 'npm', 'while it prepares'],
  ['SIGINT', 'runner', 'while it prepares'],
]

describe.skipIf(process.platform !== 'linux')('npm test', () => {
  it.each(cases)(
    'leaves no process, file or shared memory after %s to %s %s',
    async (signal, target, moment) => {
      const run = startRun()
      await reach(run, moment)
      expect(run.look()).toBeGreaterThan(0)
      process.kill(target === 'npm' ? run.npm : run.runner(), signal)
      await run.exited
      const left = await until(() => (run.left().length === 0 ? [] : undefined), 15_000).catch(run.left)
      expect(left).toEqual([])
      expect(readdirSync(run.folder)).toEqual([])
      expect([...run.memory].filter(existsSync)).toEqual([])
    },
  )
})
