import { queryOptions } from '@tanstack/react-query'
import { calls, keyMask, tokenStatuses } from '@tollgate/api'
import { request } from '../../lib/api-client.ts'

/** How many of the newest keys are looked at. */
const newest = 100

/** The first key that a chat client may use, with its `sk-`; `null` when none is switched on. */
export const chatKeyQuery = queryOptions({
  queryKey: ['chat', 'key'],
  queryFn: async ({ signal }) => {
    const tokens = await request(calls.tokens.list, { query: { p: 0, size: newest }, signal })
    const usable = tokens.find(({ status }) => status === tokenStatuses.enabled)
    if (!usable) return null
    return `sk-${usable.key.includes(keyMask) ? await revealed(usable.id) : usable.key}`
  },
  staleTime: 0,
})

async function revealed(id: number): Promise<string> {
  const [row] = await request(calls.tokens.reveal, { body: { ids: [id] } })
  return row?.key ?? ''
}
