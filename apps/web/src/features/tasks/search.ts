import { listParams } from '../../components/list/list-search.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'
import { timeParams } from '../../lib/time-range.ts'

const shared = {
  page: listParams.page,
  ...timeParams,
  /** The upstream's id. */
  id: textParam,
  /** For administrators. */
  channel: integerParam,
}

/** What of the list of drawings is in the URL. */
export const drawingsSearch = searchParams(shared)
export type DrawingsSearch = ReturnType<typeof drawingsSearch>

/** What of the list of tasks is in the URL. */
export const tasksSearch = searchParams({
  ...shared,
  platform: textParam,
  action: textParam,
  status: textParam,
})
export type TasksSearch = ReturnType<typeof tasksSearch>
