import { useQuery } from '@tanstack/react-query'
import { chatLinksOf, fillChatLink } from '../../lib/chat-links.ts'
import { statusQuery, useServerAddress } from '../../lib/status.ts'
import { chatKeyQuery } from './api.ts'

export type ChatLinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: () => void }
  /** The operator saved no links, or none at this position, or one that cannot be opened. */
  | { readonly kind: 'unset' | 'broken' }
  | { readonly kind: 'noKey' }
  | { readonly kind: 'ready'; readonly name: string; readonly link: string }

/** The chat link at a position of the saved ones, filled with the first key that is switched on. */
export function useChatLink(position: number): ChatLinkState {
  const status = useQuery(statusQuery)
  const key = useQuery(chatKeyQuery)
  const serverAddress = useServerAddress()
  const failed = [status, key].find((query) => query.data === undefined && query.error)
  if (failed?.error) return { kind: 'failed', error: failed.error, retry: () => void failed.refetch() }
  if (!status.data || key.data === undefined) return { kind: 'loading' }
  const links = chatLinksOf(status.data.chats)
  if (links.length === 0) return { kind: 'unset' }
  const chosen = links[position]
  if (!chosen) return { kind: 'broken' }
  if (key.data === null) return { kind: 'noKey' }
  const link = fillChatLink(chosen.template, { key: key.data, serverAddress })
  return link === undefined ? { kind: 'broken' } : { kind: 'ready', name: chosen.name, link }
}
