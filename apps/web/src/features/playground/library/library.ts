import type { ChatStore } from '../chat/chat-store.ts'
import { type Conversation, hasMessages, newConversation, titleOf } from '../chat/conversation.ts'
import type { Message } from '../chat/thread.ts'
import { readConversation } from './read-conversation.ts'
import type { RecordStore } from './record-store.ts'
import { createSaver, type Revisions } from './saver.ts'

/** A line of the list of conversations. */
export interface ConversationSummary {
  readonly id: string
  /** Empty when there are no words to name it by. */
  readonly title: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
}

export interface LibraryState {
  /** Set once the stored conversations are read. */
  readonly loaded: boolean
  /** Some of what was kept could not be read. */
  readonly unreadable: boolean
  /** The browser does not keep what is said: it forbids storage, or has no room. */
  readonly forgetful: boolean
  readonly currentId: string
  /** Newest first. */
  readonly summaries: readonly ConversationSummary[]
}

/** A person's conversations, as this browser keeps them. */
export interface Library {
  readonly state: LibraryState
  /** The conversation on screen. */
  readonly chat: ChatStore
  subscribe(listener: () => void): () => void
  open(id: string): void
  startNew(): void
  /** Takes in a conversation that came from elsewhere, and shows it. */
  receive(conversation: Conversation): void
  rename(id: string, name: string): void
  remove(id: string): void
  /** Writes what is not written yet. */
  flush(): void
  /** Stops what runs, and writes. */
  close(): void
}

export interface LibraryDependencies {
  readonly records: RecordStore
  readonly revisions: Revisions
  readonly createChat: (conversation: Conversation) => ChatStore
  readonly now: () => number
  readonly nextId: () => string
  /** Storage of the conversation that was on screen last. */
  readonly lastOpen: { read(): string | null; write(id: string): void }
}

const emptyState = { loaded: false, unreadable: false, forgetful: false, summaries: [] }

export function createLibrary(deps: LibraryDependencies): Library {
  const chats = new Map<string, ChatStore>()
  const listeners = new Set<() => void>()
  const saver = createSaver(deps, {
    failed: () => set({ forgetful: true }),
    taken: (id) => part(id),
  })
  let chat = add(newConversation(deps.nextId(), deps.now()))
  let state: LibraryState = { ...emptyState, currentId: chat.current.id }

  function set(part: Partial<LibraryState>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  function add(conversation: Conversation): ChatStore {
    const added = deps.createChat(conversation)
    chats.set(conversation.id, added)
    added.subscribe(() => {
      if (!hasMessages(added.current) || !chats.has(added.current.id)) return
      saver.save(added.current)
      if (added === chat && deps.lastOpen.read() !== added.current.id) deps.lastOpen.write(added.current.id)
      refresh()
    })
    return added
  }

  const conversations = () => [...chats.values()].map(({ current }) => current).filter(hasMessages)

  function refresh(): void {
    const summaries = summariesOf(conversations())
    if (!sameSummaries(summaries, state.summaries)) set({ summaries })
  }

  function show(next: ChatStore): void {
    chat = next
    chat.findCharges()
    deps.lastOpen.write(chat.current.id)
    set({ currentId: chat.current.id })
  }

  function forget(id: string): void {
    chats.get(id)?.stop()
    chats.delete(id)
  }

  /** Parts from another tab that goes on with a conversation: this tab goes on with one of its own, and both are in the list. */
  function part(id: string): void {
    const mine = chats.get(id)
    if (mine === undefined) return
    chats.delete(id)
    const ownId = deps.nextId()
    chats.set(ownId, mine)
    mine.moveTo(ownId)
    saver.save(mine.current)
    if (mine === chat) show(mine)
    void readStored(deps).then(({ fitting }) => {
      for (const conversation of fitting) if (conversation.id === id && !chats.has(id)) take(conversation)
      refresh()
    })
  }

  function take(conversation: Conversation): void {
    saver.saw(conversation)
    add(conversation)
  }

  async function load(): Promise<void> {
    saver.look()
    const { fitting, rest, ...problems } = await readStored(deps)
    for (const conversation of fitting) if (!chats.has(conversation.id)) take(conversation)
    for (const { id } of rest) saver.makeRoom(id)
    const last = chats.get(deps.lastOpen.read() ?? '')
    if (last && !hasMessages(chat.current)) show(last)
    set({ loaded: true, ...problems })
    refresh()
  }

  /** The oldest make room for what is begun now. */
  function makeRoom(): void {
    for (const { id } of newestFitting(conversations(), 1).rest) {
      forget(id)
      saver.makeRoom(id)
    }
  }

  function startNew(): void {
    if (!hasMessages(chat.current)) return
    makeRoom()
    show(add(newConversation(deps.nextId(), deps.now())))
    refresh()
  }

  void load()
  return {
    get state() {
      return state
    },
    get chat() {
      return chat
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open(id) {
      const found = chats.get(id)
      if (found && found !== chat) show(found)
    },
    startNew,
    receive(conversation) {
      makeRoom()
      show(add(conversation))
      saver.save(conversation)
      refresh()
    },
    rename: (id, name) => chats.get(id)?.rename(name),
    remove(id) {
      forget(id)
      saver.remove(id)
      if (chat.current.id === id) show(add(newConversation(deps.nextId(), deps.now())))
      refresh()
    },
    flush: saver.flush,
    close() {
      for (const each of chats.values()) each.stop()
      saver.flush()
    },
  }
}

async function readStored({ records: store }: Pick<LibraryDependencies, 'records'>) {
  const records = await store.readAll().catch(() => undefined)
  const read = (records ?? []).map(readConversation)
  const stored = read.filter((conversation) => conversation !== undefined)
  return {
    ...newestFitting(stored),
    unreadable: stored.length < read.length,
    forgetful: records === undefined,
  }
}

/** Newest first. */
function summariesOf(conversations: readonly Conversation[]): readonly ConversationSummary[] {
  return conversations
    .map((conversation) => ({
      id: conversation.id,
      title: titleOf(conversation),
      updatedAt: conversation.updatedAt,
    }))
    .sort((left, right) => right.updatedAt - left.updatedAt)
}

function sameSummaries(left: readonly ConversationSummary[], right: readonly ConversationSummary[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ id, title, updatedAt }, index) =>
        id === right[index]?.id && title === right[index].title && updatedAt === right[index].updatedAt,
    )
  )
}

/** Number of conversations that are stored; the oldest make room. */
export const maxConversations = 50
/** And how much they hold together, in characters. */
const maxCharacters = 60_000_000

/** The newest that there is room for, and the others. */
function newestFitting(conversations: readonly Conversation[], reserved = 0) {
  const newestFirst = [...conversations].sort((left, right) => right.updatedAt - left.updatedAt)
  let room = maxCharacters
  const count = newestFirst.findIndex((conversation, index) => {
    room -= sizeOf(conversation)
    return index >= maxConversations - reserved || room < 0
  })
  const end = count === -1 ? newestFirst.length : count
  return { fitting: newestFirst.slice(0, end), rest: newestFirst.slice(end) }
}

/** Roughly, in characters: pictures are nearly all of it. */
function sizeOf({ threads }: Conversation): number {
  return threads
    .flatMap((thread) => thread?.messages ?? [])
    .reduce((size, message) => size + message.content.length + mediaSize(message), 0)
}

function mediaSize(message: Message): number {
  const media =
    message.role === 'user' ? message.images.map(({ url }) => url) : [...message.images, ...message.audio]
  return media.reduce((size, { length }) => size + length, 0)
}
