import { listParams } from '../../components/list/list-search.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the key list in the URL. */
export const tokensSearch = searchParams({
  ...listParams,
  keyword: textParam,
  token: textParam,
  status: integerParam,
})
export type TokensSearch = ReturnType<typeof tokensSearch>
