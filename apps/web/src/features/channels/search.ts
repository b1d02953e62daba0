import { integerParam, pageParam, searchParam, searchParams, textParam } from '../../lib/search-params.ts'

/** What of the channel list is in the URL. */
export const channelsSearch = searchParams({
  page: pageParam,
  keyword: searchParam,
  group: textParam,
  model: searchParam,
  /** Channel whose settings a new one starts with. */
  copy: integerParam,
})
