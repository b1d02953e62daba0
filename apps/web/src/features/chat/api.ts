import { queryOptions } from '@tanstack/react-query'
import { calls, keyMask, type Token, tokenStatuses } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

/** How many of the newest keys are looked at. */
const newest = 100

/** The first key that a chat client may use, as the list shows it; `null` when none is switched on. */
export const chatTokenQuery = queryOptions({
  queryKey: ['chat', 'token'],
  queryFn: async ({ signal }) => {
    const tokens = await request(calls.tokens.list, { query: { p: 0, size: newest }, signal })
    return tokens.find(({ status }) => status === tokenStatuses.enabled) ?? null
  },
  staleTime: 0,
})

/** That key with its `sk-`. Where keys are masked, this is written down. */
export function chatKeyQuery(token: Pick<Token, 'id' | 'key'> | null | undefined) {
  return queryOptions({
    queryKey: ['chat', 'key', token?.id],
    queryFn: async () => {
      const { id = 0, key = '' } = token ?? {}
      return `sk-${key.includes(keyMask) ? await revealed(id) : key}`
    },
    staleTime: 0,
  })
}

async function revealed(id: number): Promise<string> {
  const [row] = await request(calls.tokens.reveal, { body: { ids: [id] } })
  return row?.key ?? ''
}
