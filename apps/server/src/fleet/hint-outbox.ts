import type { FleetMessages } from './messages.ts'

/** Sends hints to the other nodes, a few messages a second at most. */
export interface HintOutbox<Hint> {
  /** Never waits, never throws. Of the hints on one subject that have not been sent yet, the last one is. */
  put(subject: string, hint: Hint): void
  close(): void
}

interface Dependencies {
  readonly messages: Pick<FleetMessages, 'send'>
  /** Type of the messages: `{ type, hints }`. */
  readonly type: string
}

/** Between two messages. */
const pauseMs = 200
/** PostgreSQL carries less than 8000, with an envelope. */
const maxBytes = 7000
/** Beyond so many, new ones are dropped. */
const maxWaiting = 500

/** Creates the outbox of hints, which are lost when they are too many, or when the other nodes cannot be reached. */
export function createHintOutbox<Hint>({ messages, type }: Dependencies): HintOutbox<Hint> {
  const waiting = new Map<string, Hint>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    timer = undefined
    const hints = takeMessage(waiting)
    if (hints.length === 0) return
    timer = later(pauseMs)
    messages.send({ type, hints }).catch(() => undefined)
  }

  function later(ms: number) {
    const started = setTimeout(flush, ms)
    started.unref()
    return started
  }

  return {
    put(subject, hint) {
      if (waiting.size >= maxWaiting && !waiting.has(subject)) return
      // Behind the others: what is new was found out last.
      waiting.delete(subject)
      waiting.set(subject, hint)
      timer ??= later(0)
    },
    close() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}

/** Takes as many hints as one message carries. One that is longer than a message is dropped. */
function takeMessage<Hint>(waiting: Map<string, Hint>): readonly Hint[] {
  const hints: Hint[] = []
  let bytes = 0
  for (const [subject, hint] of waiting) {
    const size = Buffer.byteLength(JSON.stringify(hint)) + 1
    if (bytes + size > maxBytes && hints.length > 0) break
    waiting.delete(subject)
    if (size > maxBytes) continue
    bytes += size
    hints.push(hint)
  }
  return hints
}
