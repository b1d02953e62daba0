import { modelCapabilities } from '@tollgate/api'
import { listParams } from '../../components/list/list-search.ts'
import { booleanParam, enumParam, searchParams, textParam } from '../../lib/search-params.ts'

export const pricingSearch = searchParams({
  page: listParams.page,
  sort: listParams.sort,
  keyword: textParam,
  /** Group whose prices are visible. */
  group: textParam,
  vendor: textParam,
  capability: enumParam(modelCapabilities),
  /** Set while the costs of a job are visible. */
  job: booleanParam,
})
