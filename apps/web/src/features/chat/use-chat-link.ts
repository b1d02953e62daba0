import { useQuery } from '@tanstack/react-query'
import { chatTargetOf } from '@tollgate/api'
import { selfQuery, useIsConfirmed } from '../../lib/chat-consent.ts'
import { carriesKey, chatLinksOf, fillChatLink } from '../../lib/chat-links.ts'
import { statusQuery, useServerAddress } from '../../lib/status.ts'
import { chatKeyQuery, chatTokenQuery } from './api.ts'

export type ChatLinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error; readonly retry: () => void }
  /** The operator saved no links, or none at this position, or one that cannot be opened. */
  | { readonly kind: 'unset' | 'broken' }
  | { readonly kind: 'noKey' }
  /** The person has not let their keys go there yet. */
  | { readonly kind: 'unconfirmed'; readonly name: string; readonly target: string }
  | { readonly kind: 'ready'; readonly name: string; readonly link: string }

/** The chat link at a position of the saved ones, filled with the first key that is switched on. */
export function useChatLink(position: number): ChatLinkState {
  const status = useQuery(statusQuery)
  const links = chatLinksOf(status.data?.chats)
  const chosen = links[position]
  const target = chosen && chatTargetOf(chosen.template)
  const hasConfirmed = useIsConfirmed(target)
  const isConfirmed = chosen !== undefined && !carriesKey(chosen.template) ? true : hasConfirmed
  const token = useQuery(chatTokenQuery)
  // Not read before it may be used.
  const key = useQuery({ ...chatKeyQuery(token.data), enabled: isConfirmed === true && token.data != null })
  const serverAddress = useServerAddress()
  const self = useQuery(selfQuery)
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
