import { searchParams, textParam } from '../../lib/search-params.ts'

/** What the mailed link carries. */
export const resetSearch = searchParams({ email: textParam, token: textParam })
