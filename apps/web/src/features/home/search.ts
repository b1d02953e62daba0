import { booleanParam, searchParams } from '../../lib/search-params.ts'

/** Parameter of the home page in the URL: set when a logged-in user wants to see it. */
export const homeSearch = searchParams({ site: booleanParam })
