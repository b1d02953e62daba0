import { useMemo } from 'react'
import { chatLinksOf } from '../../lib/chat-links.ts'
import { useStatus } from '../../lib/status.ts'

/** A saved chat link: its page is its position. */
export interface ChatEntry {
  readonly id: string
  readonly name: string
}

/** The chat clients that the operator offers. */
export function useChatEntries(): readonly ChatEntry[] {
  const chats = useStatus()?.chats
  return useMemo(
    () => chatLinksOf(chats).map(({ name }, position) => ({ id: String(position), name })),
    [chats],
  )
}
