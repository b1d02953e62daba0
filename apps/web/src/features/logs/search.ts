import { listParams } from '../../components/list/list-search.ts'
import { timeParams } from '../../lib/format/time-range.ts'
import {
  booleanParam,
  enumParam,
  integerParam,
  searchParams,
  textParam,
  timeParam,
} from '../../lib/search-params.ts'

/** Parameters of the usage log in the URL. */
export const logsSearch = searchParams({
  page: listParams.page,
  /** Ranks the rows; without it the newest come first. */
  sort: enumParam(['quota', 'duration']),
  type: integerParam,
  token: textParam,
  /** The number of a key: several may have one name. */
  key: integerParam,
  /** A name, or a pattern with `*` for anything. */
  model: textParam,
  group: textParam,
  ...timeParams,
  /** Which served a call, or was tried last. */
  channel: integerParam,
  /** Which a call tried, also when another one served it. */
  tried: integerParam,
  /** Only calls that were served although an attempt had failed. */
  rescued: booleanParam,
  user: textParam,
  /** Reason of failed calls: the gateway's own code. */
  reason: textParam,
  /** Set while the panel of failures is open. */
  why: booleanParam,
  /** The row whose details are open: its request id, or its number. */
  entry: textParam,
  /** About when that row was written, in Unix seconds: where to look for it when it is on no page shown. */
  at: timeParam,
})
export type LogsSearch = ReturnType<typeof logsSearch>
