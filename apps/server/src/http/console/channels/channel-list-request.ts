import type { CallArguments, channels } from '@tollgate/api'
import type { ChannelListRequest } from '../../../channels/manage/list-channels.ts'

type ListQuery =
  | CallArguments<(typeof channels)['list']>['query']
  | CallArguments<(typeof channels)['search']>['query']

/** `id_sort` is how older consoles ask for the order of ids. */
export function listRequest({
  p,
  page_size,
  id_sort,
  tag_mode,
  sort,
  ...filter
}: ListQuery): ChannelListRequest {
  return {
    ...filter,
    page: p,
    size: page_size,
    byTag: tag_mode,
    sort: sort ?? (id_sort ? 'id' : 'priority'),
  }
}
