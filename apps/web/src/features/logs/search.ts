import { listParams } from '../../components/list/list-search.ts'
import { integerParam, searchParams, textParam, wordParam } from '../../lib/search-params.ts'

/** Named stretches of time up to now; `custom` is from `from` to `to`. Without one it is today. */
export const timeRanges = ['24h', '7d', '30d', 'custom'] as const

/** What of the usage log is in the URL. */
export const logsSearch = searchParams({
  page: listParams.page,
  type: integerParam,
  token: textParam,
  /** A name, or a pattern with `%` for anything. */
  model: textParam,
  group: textParam,
  range: wordParam(timeRanges),
  /** Unix seconds. */
  from: integerParam,
  to: integerParam,
  channel: integerParam,
  user: textParam,
  /** The row whose details are open: its request id, or its number. */
  entry: textParam,
  /** About when that row was written, in Unix seconds: where to look for it when it is on no page shown. */
  at: integerParam,
})
export type LogsSearch = ReturnType<typeof logsSearch>
