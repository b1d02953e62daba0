import { channelFilters } from '@tollgate/api'
import { filterParams } from '../../components/list/filter-params.ts'
import { listParams } from '../../components/list/list-search.ts'
import { booleanParam, integerParam, searchParams, textParam } from '../../lib/search-params.ts'

/** Parameters of the channel list in the URL. */
export const channelsSearch = searchParams({
  ...listParams,
  ...filterParams(channelFilters),
  keyword: textParam,
  group: textParam,
  model: textParam,
  /** Channels of one tag together, under a row of their own. */
  tag_mode: booleanParam,
  /** The channel that was saved last: the page offers its next steps. */
  saved: integerParam,
  /** It passed a test as it was saved. */
  tested: booleanParam,
})
export type ChannelsSearch = ReturnType<typeof channelsSearch>
