import { useSyncExternalStore } from 'react'
import { readLocal, writeLocal } from '../../../lib/browser/local-store.ts'
import { fieldsOf, parseJson } from '../../../lib/format/json.ts'
import { useUser } from '../../../lib/session/session.ts'
import { findCharge } from '../api.ts'
import { type ChatStore, createChatStore } from '../chat/chat-store.ts'
import type { Conversation } from '../chat/conversation.ts'
import { sendChat } from '../chat/send-chat.ts'
import { createLibrary, type Library } from './library.ts'
import { openRecordStore } from './record-store.ts'
import type { Revisions } from './saver.ts'

let openLibrary: { readonly userId: number; readonly library: Library } | undefined

/** The conversations of a person: kept while they look at other pages, and never shown to the next one who logs in. */
function libraryOf(userId: number): Library {
  if (openLibrary?.userId === userId) return openLibrary.library
  openLibrary?.library.close()
  const key = `draft:playground-open-${userId}` as const
  const library = createLibrary({
    records: openRecordStore(userId, 'conversations'),
    revisions: revisionsAt(`draft:playground-written-${userId}`),
    createChat: (conversation) =>
      createChatStore(conversation, { sendChat, findCharge, nextId, later, now: () => Date.now() }),
    now: () => Date.now(),
    nextId,
    lastOpen: { read: () => readLocal(key), write: (id) => writeLocal(key, id) },
  })
  window.addEventListener('pagehide', () => library.flush())
  openLibrary = { userId, library }
  return library
}

/** Versions in the storage that the tabs share. Where the browser forbids it, tabs do not know of each other. */
function revisionsAt(key: `draft:${string}`): Revisions {
  const read = () => fieldsOf(parseJson(readLocal(key) ?? '')) as Readonly<Record<string, string>>
  return {
    read,
    write: (id, revision) => void writeLocal(key, JSON.stringify({ ...read(), [id]: revision })),
  }
}

export function nextId(): string {
  return Math.random().toString(36).slice(2)
}

/** Once per animation frame; a hidden page draws none. */
function later(show: () => void): void {
  if (document.hidden) setTimeout(show, 200)
  else requestAnimationFrame(show)
}

export function useLibrary(): Library {
  const library = libraryOf(useUser()?.id ?? 0)
  useSyncExternalStore(
    (listener) => library.subscribe(listener),
    () => library.state,
  )
  return library
}

export function useConversation(chat: ChatStore): Conversation {
  return useSyncExternalStore(
    (listener) => chat.subscribe(listener),
    () => chat.current,
  )
}
