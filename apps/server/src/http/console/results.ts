import type { Language, RowOutcome } from '@tollgate/api'
import type { Refusal } from '../../lib/refusal.ts'

interface RowResult {
  readonly id: number
  /** Why nothing was done. */
  readonly refusal?: Refusal | undefined
}

/** The response of a bulk call: the number of changed rows, and the outcome of each. */
export function bulkResult(results: readonly RowResult[], language: Language) {
  const outcomes = results.map(({ id, refusal }): RowOutcome => {
    if (refusal === undefined) return { id, success: true, message: '' }
    return { id, success: false, message: refusal.publicMessage(language), code: refusal.code }
  })
  return { data: outcomes.filter(({ success }) => success).length, extra: { outcomes } }
}

interface PageQuery {
  readonly p: number
  readonly page_size: number
}

/** A page of a list as it is sent. */
export function pageResult<Row, Item>(
  { p, page_size }: PageQuery,
  { rows, total }: { readonly rows: readonly Row[]; readonly total: number },
  toWire: (row: Row) => Item,
) {
  return { items: rows.map(toWire), total, page: p, page_size }
}

/** Which rows a page of a list that begins with page 1 has. However far away it is, the numbers stay whole. */
export function pageWindow({ p, page_size }: PageQuery) {
  return { offset: Math.min((p - 1) * page_size, Number.MAX_SAFE_INTEGER), limit: page_size }
}
