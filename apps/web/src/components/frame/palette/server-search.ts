import { queryOptions, skipToken } from '@tanstack/react-query'
import { calls } from '@tollgate/api'
import { request } from '../../../lib/api-client.ts'

/** How many of a kind are offered: who looks for more goes to the list. */
const perKind = 5
const keepMs = 30_000

/** A search of the server by what is typed. A newer text takes the older search back. */
function search<Found>(
  kind: string,
  text: string,
  read: (signal: AbortSignal) => Promise<readonly Found[]>,
  enabled = true,
) {
  return queryOptions({
    queryKey: ['palette', kind, text],
    queryFn: enabled && text !== '' ? ({ signal }: { signal: AbortSignal }) => read(signal) : skipToken,
    staleTime: keepMs,
    gcTime: keepMs,
    retry: false,
  })
}

/** By the name or the id. */
export const channelSearch = (text: string, enabled: boolean) =>
  search(
    'channels',
    text,
    (signal) =>
      request(calls.channels.search, { query: { keyword: text, p: 0, page_size: perKind }, signal }),
    enabled,
  )

/** By a name, the address or the id. */
export const userSearch = (text: string, enabled: boolean) =>
  search(
    'users',
    text,
    async (signal) =>
      (await request(calls.userAdmin.search, { query: { keyword: text, p: 1, page_size: perKind }, signal }))
        .items,
    enabled,
  )

/** Own keys, by the name or by a key that was pasted. */
export const tokenSearch = (text: string) =>
  search('tokens', text, (signal) => {
    const terms = text.startsWith('sk-') ? { token: text } : { keyword: text }
    return request(calls.tokens.list, { query: { ...terms, p: 0, size: perKind }, signal })
  })

/** Models that the person may call, by a part of the name. They are read once and looked through here. */
export const modelSearch = (text: string) => ({
  ...search('models', text === '' ? '' : 'all', (signal) => request(calls.users.models, { signal })),
  select: (models: readonly string[]) =>
    models.filter((model) => model.toLowerCase().includes(text.toLowerCase())).slice(0, perKind),
})

/** Request ids of the gateway: a moment as 23 digits, and 8 random characters. Nothing else is looked for in the log. */
const requestId = /^\d{23}[\dA-Za-z]{8}$/

export const requestSearch = (text: string, everyones: boolean) =>
  search(
    everyones ? 'requests' : 'own-requests',
    text,
    async (signal) => {
      const query = { request_id: text, p: 1, page_size: 1 }
      const call = everyones ? calls.logs.list : calls.logs.listSelf
      return (await request(call, { query, signal })).items
    },
    requestId.test(text),
  )
