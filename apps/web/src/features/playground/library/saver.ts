import type { Conversation } from '../chat/conversation.ts'
import type { RecordStore } from './record-store.ts'

/** A conversation that changes all the time is written so often. */
const writeEveryMs = 1000

/** Writes conversations: at once, and while an answer streams at most once a second. */
export interface Saver {
  save(conversation: Conversation): void
  remove(id: string): void
  /** Writes now what waits. */
  flush(): void
}

export function createSaver(records: RecordStore, onFailure: () => void): Saver {
  /** Conversations written not long ago, with what has changed since. */
  const recent = new Map<
    string,
    { timer: ReturnType<typeof setTimeout>; waiting: Conversation | undefined }
  >()

  function write(conversation: Conversation): void {
    const timer = setTimeout(() => {
      const waiting = recent.get(conversation.id)?.waiting
      recent.delete(conversation.id)
      if (waiting) write(waiting)
    }, writeEveryMs)
    recent.set(conversation.id, { timer, waiting: undefined })
    records.write(conversation).catch(onFailure)
  }

  return {
    save(conversation) {
      const written = recent.get(conversation.id)
      if (written) written.waiting = conversation
      else write(conversation)
    },
    remove(id) {
      clearTimeout(recent.get(id)?.timer)
      recent.delete(id)
      records.remove(id).catch(onFailure)
    },
    flush() {
      for (const { timer, waiting } of recent.values()) {
        clearTimeout(timer)
        if (waiting) records.write(waiting).catch(onFailure)
      }
      recent.clear()
    },
  }
}
