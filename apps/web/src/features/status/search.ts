import { listParams } from '../../components/list/list-search.ts'
import { searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the status page in the URL. */
export const statusSearch = searchParams({ page: listParams.page, keyword: textParam })
