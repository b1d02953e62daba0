import type { Conversation } from '../chat/conversation.ts'
import type { Message } from '../chat/thread.ts'
import type { RecordStore } from './record-store.ts'

/** A conversation that changes all the time is written so often. */
const writeEveryMs = 1000

/** Versions of conversations that were written last, by whichever tab: the tabs of a browser share them, and read them at once. */
export interface Revisions {
  /** By the ids of conversations. */
  read(): Readonly<Record<string, string>>
  /** @param revision `undefined` for a conversation that is gone */
  write(id: string, revision: string | undefined): void
}

interface SaverDependencies {
  readonly records: RecordStore
  readonly revisions: Revisions
  readonly nextId: () => string
}

interface SaverListener {
  /** Reports that the browser stores nothing. */
  failed(): void
  /** Reports that another tab has written the conversation since this one saw it, and that this one has more: nothing is written. */
  taken(id: string): void
}

/** Writes conversations: immediately, and at most once a second while a response streams. Never over what another tab has written. */
export interface Saver {
  save(conversation: Conversation): void
  remove(id: string): void
  /** Removes a conversation unless another tab has gone on with it. */
  makeRoom(id: string): void
  /** Writes now what waits. */
  flush(): void
  /** Notes the versions of what is about to be read. */
  look(): void
  /** Notes what was read. */
  saw(conversation: Conversation): void
}

/** Creates what writes the conversations of one tab. */
export function createSaver(
  { records, revisions, nextId }: SaverDependencies,
  listener: SaverListener,
): Saver {
  /** Conversations written not long ago, with what has changed since. */
  const recent = new Map<
    string,
    { timer: ReturnType<typeof setTimeout>; waiting: Conversation | undefined }
  >()
  /** Versions that this tab has read or written last. */
  const seen = new Map<string, Conversation>()
  let known: Record<string, string> = {}

  /** The version of another tab that this one has not seen. */
  function unseen(id: string): string | undefined {
    const revision = revisions.read()[id]
    return revision === known[id] ? undefined : revision
  }

  /** Writes at once, as a page that is left has no later. */
  function put(conversation: Conversation): void {
    const { id } = conversation
    const taken = unseen(id)
    if (taken !== undefined) {
      const before = seen.get(id)
      if (before !== undefined && holds(before, conversation)) return
      known[id] = taken
      listener.taken(id)
      return
    }
    const revision = nextId()
    known[id] = revision
    revisions.write(id, revision)
    seen.set(id, conversation)
    records.write(conversation).catch(listener.failed)
  }

  function write(conversation: Conversation): void {
    const timer = setTimeout(() => {
      const waiting = recent.get(conversation.id)?.waiting
      recent.delete(conversation.id)
      if (waiting) write(waiting)
    }, writeEveryMs)
    recent.set(conversation.id, { timer, waiting: undefined })
    put(conversation)
  }

  function remove(id: string): void {
    clearTimeout(recent.get(id)?.timer)
    recent.delete(id)
    revisions.write(id, undefined)
    records.remove(id).catch(listener.failed)
  }

  return {
    save(conversation) {
      const written = recent.get(conversation.id)
      if (written) written.waiting = conversation
      else write(conversation)
    },
    remove,
    makeRoom(id) {
      if (unseen(id) === undefined) remove(id)
    },
    flush() {
      const waiting = [...recent.values()]
      recent.clear()
      for (const { timer, waiting: conversation } of waiting) {
        clearTimeout(timer)
        if (conversation) put(conversation)
      }
    },
    look() {
      known = { ...revisions.read(), ...known }
    },
    saw: (conversation) => void seen.set(conversation.id, conversation),
  }
}

/** Decides whether a version of a conversation has everything that another one says; what calls cost is looked up again. */
function holds(one: Conversation, other: Conversation): boolean {
  return other.threads.every((thread, column) => {
    const sizes = new Map(one.threads[column]?.messages.map((message) => [message.id, sizeOf(message)]))
    return (thread?.messages ?? []).every((message) => (sizes.get(message.id) ?? -1) >= sizeOf(message))
  })
}

function sizeOf(message: Message): number {
  if (message.role === 'user') return message.content.length
  const { content, reasoning, images, audio, toolCalls } = message
  return content.length + reasoning.length + images.length + audio.length + toolCalls.length
}
