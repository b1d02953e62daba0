import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '@tollgate/base'
import { type Finding, fail, ok, warn } from './finding.ts'

const second = 1000
/** Servers say the time in whole seconds. */
const smallMs = 5 * second
/** Beyond it signatures of providers and codes of second factors are refused. */
const largeMs = 300 * second

/** Compares this machine's clock with what servers outside say; without any, with the files that it wrote. */
export function checkClockBy(aheadMs: readonly number[], dataDir: string, clock: Clock): Finding {
  const [min] = aheadMs.toSorted((a, b) => Math.abs(a) - Math.abs(b))
  if (min === undefined) return checkByFiles(dataDir, clock)
  const text = `this machine is ${Math.round(Math.abs(min) / second)} s ${min > 0 ? 'ahead of' : 'behind'} the servers of its channels`
  if (Math.abs(min) > largeMs)
    return fail('clock', `${text}: synchronize it (NTP), providers refuse calls and codes do not fit`)
  return Math.abs(min) > smallMs ? warn('clock', `${text}: synchronize it (NTP)`) : ok('clock', text)
}

function checkByFiles(dataDir: string, clock: Clock): Finding {
  const newest = Math.max(0, ...timesIn(dataDir), ...timesIn(join(dataDir, 'journal')))
  const behindMs = newest - clock.now()
  if (behindMs > smallMs)
    return warn(
      'clock',
      `files in ${dataDir} are ${Math.round(behindMs / second)} s younger than now: the clock went back, synchronize it (NTP)`,
    )
  return ok('clock', `no file in ${dataDir} is younger than now`)
}

function timesIn(directory: string): number[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory).flatMap(
    (name) => statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? [],
  )
}
