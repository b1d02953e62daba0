import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clockOffBy } from './fleet.ts'

/** Wall clock of a test's programs, which the test sets while they run; their monotonic clock is as ever. */
export interface Clock {
  /** Environment of the programs that go by it. */
  readonly env: Readonly<Record<string, string>>
  /** Sets it so many seconds off. */
  offBy(seconds: number): void
  /** Sets it to this time, in seconds since 1970, from which it goes on. */
  set(at: number): void
  remove(): void
}

export function createClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-clock-'))
  const file = join(folder, 'offset')
  const { FAKETIME: _, ...env } = clockOffBy(0)
  const clock: Clock = {
    env: { ...env, FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' },
    offBy(seconds) {
      // In one step: a program that finds the file empty has the machine's time for that moment, in which its sessions are over.
      writeFileSync(`${file}.next`, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
      renameSync(`${file}.next`, file)
    },
    set: (at) => clock.offBy(Math.ceil(at - Date.now() / 1000)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  clock.offBy(0)
  return clock
}
