import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { searchParams } from '../../lib/search-params.ts'

/** Parameters of the spending of all users in the URL. */
export const spendSearch = searchParams({ page: listParams.page, ...timeParams })
export type SpendSearch = ReturnType<typeof spendSearch>
