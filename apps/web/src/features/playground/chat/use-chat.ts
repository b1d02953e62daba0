import { useSyncExternalStore } from 'react'
import { useUser } from '../../../lib/session.ts'
import { ask } from './ask.ts'
import { type ChatStore, createChatStore } from './chat-store.ts'

/** Pieces of an answer come faster than a screen needs to be drawn. */
const drawEveryMs = 40

let held: { readonly userId: number; readonly chat: ChatStore } | undefined

/** The conversation of a person: kept while they look at other pages, and never shown to the next one who logs in. */
function chatOf(userId: number): ChatStore {
  if (held?.userId === userId) return held.chat
  held?.chat.reset()
  const chat = createChatStore({
    ask,
    now: () => Date.now(),
    nextId: () => Math.random().toString(36).slice(2),
    later: (show) => void setTimeout(show, drawEveryMs),
  })
  held = { userId, chat }
  return chat
}

export function useChat(): ChatStore {
  const chat = chatOf(useUser()?.id ?? 0)
  useSyncExternalStore(
    (listener) => chat.subscribe(listener),
    () => chat.current,
  )
  return chat
}
