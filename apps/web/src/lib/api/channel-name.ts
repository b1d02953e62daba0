import { queryOptions, useQuery } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { hasPart, useUser } from '../session/session.ts'
import { request } from './api-client.ts'

/** Rows of logs name channels by their numbers; an administrator may ask for the name. */
function channelNameQuery(id: number) {
  return queryOptions({
    queryKey: ['channel-name', id],
    queryFn: async ({ signal }) => (await request(calls.channels.get, { params: { id }, signal })).name,
    staleTime: 300_000,
    retry: false,
  })
}

/**
 * Name of a channel; `undefined` while it loads and once the channel is deleted. For administrators.
 * @param known the name, where the row has it
 */
export function useChannelName(id: number, known = ''): string | undefined {
  const mayAsk = hasPart(useUser(), 'channels')
  const { data } = useQuery({ ...channelNameQuery(id), enabled: known === '' && id > 0 && mayAsk })
  return known || data
}
