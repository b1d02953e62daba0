import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the playground in the URL. */
export const playgroundSearch = searchParams({ model: textParam })
