import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the mailed link. */
export const resetSearch = searchParams({ email: textParam, token: textParam })
