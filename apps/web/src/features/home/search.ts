import { booleanParam, searchParams } from '../../lib/search-params.ts'

/** What of the home page is in the URL: whether who is logged in wants to see it. */
export const homeSearch = searchParams({ site: booleanParam })
