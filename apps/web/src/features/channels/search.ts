import { integerParam, pageParam, searchParams, textParam } from '../../lib/search-params.ts'

/** What of the channel list is in the URL. */
export const channelsSearch = searchParams({
  page: pageParam,
  keyword: textParam,
  group: textParam,
  model: textParam,
  /** Channel whose settings a new one starts with. */
  copy: integerParam,
})
