import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import { integerParam, searchParams, textParam } from '../../lib/search-params.ts'

const shared = {
  page: listParams.page,
  ...timeParams,
  /** The upstream's id. */
  id: textParam,
  /** Channel, for administrators. */
  channel: integerParam,
  /** Name of the user, for administrators. */
  user: textParam,
  /** The job whose sheet is open. */
  open: textParam,
}

/** Parameters of the list of drawings in the URL. */
export const drawingsSearch = searchParams(shared)

const taskParams = { platform: textParam, action: textParam, status: textParam }

/** Parameters of the list of tasks in the URL. */
export const tasksSearch = searchParams({ ...shared, ...taskParams })

export type JobSearch = ReturnType<typeof drawingsSearch> & ReturnType<typeof tasksSearch>
