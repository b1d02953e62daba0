import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** What of the audit log is in the URL. */
export const auditSearch = searchParams({
  page: listParams.page,
  /** Username of who acted. */
  actor: textParam,
  action: textParam,
  /** What it was done to: its kind, and its id. */
  kind: textParam,
  target: integerParam,
  ...timeParams,
  /** The record whose difference is open. */
  record: integerParam,
})
export type AuditSearch = ReturnType<typeof auditSearch>
