import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the audit log in the URL. */
export const auditSearch = searchParams({
  page: listParams.page,
  /** Username of who acted. */
  actor: textParam,
  action: textParam,
  /** Target of the act: its kind, and its id. */
  kind: textParam,
  target: integerParam,
  ...timeParams,
  /** The record whose difference is open. */
  record: integerParam,
})
export type AuditSearch = ReturnType<typeof auditSearch>
