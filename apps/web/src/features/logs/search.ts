import { pageParam, searchParams } from '../../lib/search-params.ts'

/** What of the usage log is in the URL. */
export const logsSearch = searchParams({ page: pageParam })
