import { queryOptions, useQuery } from '@tanstack/react-query'
import { calls, chatTargetOf, keyMask, type Token, tokenStatuses } from '@tollgate/api'
import { accountQuery } from '../../lib/api/account.ts'
import { request } from '../../lib/api/api-client.ts'
import { statusQuery, useServerAddress } from '../../lib/api/status.ts'
import { useIsConfirmed } from '../../lib/chat-consent.ts'
import { carriesKey, chatLinksOf, fillChatLink } from '../../lib/session/chat-links.ts'

export type ChatLinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: () => void }
  /** The operator saved no links, or none at this index, or one that cannot be opened. */
  | { readonly kind: 'unset' | 'broken' }
  | { readonly kind: 'noKey' }
  /** The person has not let their keys go there yet. */
  | { readonly kind: 'unconfirmed'; readonly name: string; readonly target: string }
  | { readonly kind: 'ready'; readonly name: string; readonly link: string }

/** The chat link at an index of the saved ones, filled with the first key that is switched on. */
export function useChatLink(index: number): ChatLinkState {
  const status = useQuery(statusQuery)
  const links = chatLinksOf(status.data?.chats)
  const chosen = links[index]
  const target = chosen && chatTargetOf(chosen.template)
  const hasConfirmed = useIsConfirmed(target)
  const isConfirmed = chosen !== undefined && !carriesKey(chosen.template) ? true : hasConfirmed
  const token = useQuery(chatTokenQuery)
  // Not read before it may be used.
  const key = useQuery({ ...chatKeyQuery(token.data), enabled: isConfirmed === true && token.data != null })
  const serverAddress = useServerAddress()
  const self = useQuery(accountQuery)
  const failed = [status, self, token, key].find((query) => query.data === undefined && query.error)
  if (failed?.error) return { kind: 'failed', error: failed.error, retry: () => void failed.refetch() }
  if (!status.data) return { kind: 'loading' }
  if (links.length === 0) return { kind: 'unset' }
  if (!chosen || target === undefined) return { kind: 'broken' }
  if (token.data === null) return { kind: 'noKey' }
  if (isConfirmed === false) return { kind: 'unconfirmed', name: chosen.name, target }
  if (key.data === undefined) return { kind: 'loading' }
  const link = fillChatLink(chosen.template, { key: key.data, serverAddress })
  return link === undefined ? { kind: 'broken' } : { kind: 'ready', name: chosen.name, link }
}

/** Number of the newest keys among which one is looked for. */
const newest = 100

/** The first key that a chat client may use, as the list shows it; `null` when none is switched on. */
const chatTokenQuery = queryOptions({
  queryKey: ['chat', 'token'],
  queryFn: async ({ signal }) => {
    const tokens = await request(calls.tokens.list, { query: { p: 0, size: newest }, signal })
    return tokens.find(({ status }) => status === tokenStatuses.enabled) ?? null
  },
  staleTime: 0,
})

/** Reads that key with its `sk-`. Where keys are masked, this is audited. */
function chatKeyQuery(token: Pick<Token, 'id' | 'key'> | null | undefined) {
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
