import type { Language, RowOutcome } from '@tollgate/api'
import type { Refusal } from '../../lib/refusal.ts'

interface RowResult {
  readonly id: number
  /** Why nothing was done. */
  readonly refusal: Refusal | undefined
}

/** What a bulk call answers: how many rows were changed, and beside it what became of each. */
export function bulkResult(results: readonly RowResult[], language: Language) {
  const outcomes = results.map(({ id, refusal }): RowOutcome => {
    if (refusal === undefined) return { id, success: true, message: '' }
    return { id, success: false, message: refusal.publicMessage(language), code: refusal.code }
  })
  return { data: outcomes.filter(({ success }) => success).length, extra: { outcomes } }
}
