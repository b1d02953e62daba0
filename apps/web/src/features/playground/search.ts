import { searchParams, textParam } from '../../lib/search-params.ts'

/** What of the playground is in the URL. */
export const playgroundSearch = searchParams({ model: textParam })
