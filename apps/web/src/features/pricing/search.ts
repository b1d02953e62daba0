import { listParams } from '../../components/list/list-search.ts'
import { searchParams, textParam } from '../../lib/search-params.ts'

export const pricingSearch = searchParams({
  page: listParams.page,
  sort: listParams.sort,
  keyword: textParam,
  /** Group whose prices are visible. */
  group: textParam,
})
