import type { SharedBytes } from '@tollgate/http/server'
import type { FromWorker, Statement, Topic, ToWorker } from './messages.ts'
import type { Seat } from './seat.ts'
import type { Budget, BytesPage } from './shared-bytes.ts'

/** The machine, as one of its workers sees it. */
export interface Machine {
  readonly seat: Seat
  /** No process accepts from the queue of this worker after it. */
  readonly isEnding: boolean
  /** Says from now on what this worker has to say of a topic. */
  respond(topic: Topic, read: () => Promise<unknown>): void
  /** Asks all workers, this one too. */
  gather(topic: Topic): Promise<readonly Statement[]>
  /** The last that this worker says of a topic; resolves when it is on its way. */
  leave(topic: Topic, value: unknown): Promise<void>
  /** Tells the other workers what this one counted. */
  count(counts: unknown): void
  counted(handle: (counts: unknown) => void): void
  /** What the other workers have of a budget of bytes. */
  bytes(budget: Budget): SharedBytes
  listening(notes: readonly string[]): void
  fit(isFit: boolean): void
  /** Resolves when this worker is to end in good order: its supervisor wants it, or is gone. */
  readonly stopped: Promise<void>
}

/** The channel to the supervisor: `process` itself. */
interface Channel {
  readonly send?: ((message: FromWorker, sent: (error: Error | null) => void) => unknown) | undefined
  on(event: 'message', listener: (message: ToWorker) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

/** Longest wait for the supervisor, which waits a second for each worker. */
const gatherMs = 3000

/** Longest wait for the last message to be on its way: the supervisor may be gone. */
const leaveMs = 500

/** Joins the machine of the supervisor that started this process. */
export function joinMachine(seat: Seat, channel: Channel, page: Pick<BytesPage, 'of'>): Machine {
  const readers = new Map<Topic, () => Promise<unknown>>()
  const waiting = new Map<number, (statements: readonly Statement[]) => void>()
  const stopped = Promise.withResolvers<void>()
  const countHandlers: ((counts: unknown) => void)[] = []
  let requests = 0
  let isEnding = false

  const send = (message: FromWorker, sent = () => {}) => void channel.send?.(message, sent)

  async function answer(id: number, topic: Topic): Promise<void> {
    const value = await readers
      .get(topic)?.()
      .catch(() => undefined)
    if (value !== undefined) send({ type: 'response', id, value })
  }

  function end(isLast: boolean): void {
    isEnding ||= isLast
    stopped.resolve()
  }

  channel.on('message', (message) => {
    switch (message.type) {
      case 'stop':
        return end(message.isLast)
      case 'request':
        return void answer(message.id, message.topic)
      case 'gathered':
        return waiting.get(message.id)?.(message.statements)
      case 'counted':
        for (const handle of countHandlers) handle(message.counts)
        return
      default:
    }
  })
  channel.on('disconnect', () => end(!seat.isLent))

  return {
    seat,
    get isEnding() {
      return isEnding
    },
    respond: (topic, read) => void readers.set(topic, read),
    async gather(topic) {
      const id = ++requests
      const { promise, resolve } = Promise.withResolvers<readonly Statement[]>()
      const timer = setTimeout(() => resolve([]), gatherMs)
      waiting.set(id, resolve)
      send({ type: 'gather', id, topic })
      const statements = await promise
      clearTimeout(timer)
      waiting.delete(id)
      return statements
    },
    leave: (topic, value) =>
      new Promise((resolve) => {
        send({ type: 'last', topic, value }, resolve)
        setTimeout(resolve, leaveMs)
      }),
    count: (counts) => send({ type: 'counted', counts }),
    counted: (handle) => void countHandlers.push(handle),
    bytes: (budget) => page.of(budget, seat.number),
    listening: (notes) => send({ type: 'listening', notes }),
    fit: (isFit) => send({ type: 'fit', isFit }),
    stopped: stopped.promise,
  }
}
