import { pageParam, searchParams, textParam } from '../../lib/search-params.ts'

/** What of the key list is in the URL. A search is by name or by one whole key, never both. */
export const tokensSearch = searchParams({ page: pageParam, keyword: textParam, token: textParam })
