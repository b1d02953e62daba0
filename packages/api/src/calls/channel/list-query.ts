import { queryChoice, queryFlag, queryInteger, queryText } from '../../wire.ts'

/** What a list may be sorted by. `problems`: what needs a person first. */
export const channelSorts = [
  'id',
  'name',
  'priority',
  'weight',
  'used_quota',
  'balance',
  'response_time',
  'status',
  'error_rate',
  'last_failure',
  'problems',
] as const
export type ChannelSort = (typeof channelSorts)[number]

/** What narrows and orders a list. */
export const listQuery = {
  /** The same as `sort=id`, newest first. */
  id_sort: queryFlag,
  /**
   * A page counts tags, in the order of their names, and carries all channels of each; channels without a tag follow, one
   * by one. `total` counts both.
   */
  tag_mode: queryFlag,
  /** By priority when absent. */
  sort: queryChoice(channelSorts),
  /** Names ascend and everything else descends when absent; of equals the newest comes first. */
  order: queryChoice(['asc', 'desc']),
  status: queryInteger,
  type: queryInteger,
  /** Exact. */
  tag: queryText,
  /** One of the channel's groups, exact. */
  group: queryText,
  /** Part of the name of one of its models. */
  model: queryText,
  /** The id, or part of the name. */
  keyword: queryText,
}
