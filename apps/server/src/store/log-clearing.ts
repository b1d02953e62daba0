import type { Seconds } from './entities.ts'
import { type Program, query } from './program.ts'

/** Rows of the log that are older than this may be gone; 0 when none was ever cleared. */
export function* readClearedBefore(): Program<Seconds> {
  const [clearing] = yield* query<{ cleared_before: number }>('select cleared_before from log_clearing')
  return clearing?.cleared_before ?? 0
}
