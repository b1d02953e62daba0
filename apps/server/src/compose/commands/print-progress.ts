import { monotonicClock } from '@tollgate/base'
import type { Progress } from '../../store/engine/copy/copy-tables.ts'

const everyMs = 1000

/** Prints a line of how far a copy is, once a second. */
export function printProgress(): Progress {
  let printedAt = monotonicClock.now()
  return (table, done, total) => {
    const now = monotonicClock.now()
    if (now - printedAt < everyMs) return
    printedAt = now
    process.stdout.write(`${table}: ${total === undefined ? done : `${done} of ${total}`} rows\n`)
  }
}
