import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { searchParams } from '../../lib/search-params.ts'

/** What of the spend of all users is in the URL. */
export const spendSearch = searchParams({ page: listParams.page, ...timeParams })
export type SpendSearch = ReturnType<typeof spendSearch>
