import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the security events in the URL. */
export const securityEventSearch = searchParams({
  page: listParams.page,
  /** Complete username. */
  user: textParam,
  kind: textParam,
  address: textParam,
  ...timeParams,
})
export type SecurityEventSearch = ReturnType<typeof securityEventSearch>
