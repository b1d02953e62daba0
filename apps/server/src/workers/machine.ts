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
  /** Returns what the other workers have of a budget of bytes. */
  bytes(budget: Budget): SharedBytes
  listening(notes: readonly string[]): void
  fit(isFit: boolean): void
  /** A signal asks this worker to end. Who sent it to all processes sent it to the supervisor, which says whether the machine ends. */
  signalled(): void
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

/** Longest wait for what the supervisor says of a signal. */
const signalMs = 1000

/** Longest wait for the last message to be on its way: the supervisor may be gone. */
const leaveMs = 500

/** Joins the machine of the supervisor that started this process. */
export function joinMachine(seat: Seat, channel: Channel, page: Pick<BytesPage, 'of'>): Machine {
  return new WorkerEnd(seat, channel, page)
}

/** A worker's end of the channel to its supervisor. */
class WorkerEnd implements Machine {
  readonly seat: Seat
  readonly stopped: Promise<void>
  isEnding = false
  readonly #channel: Channel
  readonly #page: Pick<BytesPage, 'of'>
  readonly #stop: () => void
  readonly #readers = new Map<Topic, () => Promise<unknown>>()
  readonly #waiting = new Map<number, (statements: readonly Statement[]) => void>()
  readonly #countHandlers: ((counts: unknown) => void)[] = []
  #requests = 0

  constructor(seat: Seat, channel: Channel, page: Pick<BytesPage, 'of'>) {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.seat = seat
    this.stopped = promise
    this.#stop = resolve
    this.#channel = channel
    this.#page = page
    channel.on('message', (message) => this.#received(message))
    channel.on('disconnect', () => this.#end(!seat.isLent))
  }

  respond(topic: Topic, read: () => Promise<unknown>): void {
    this.#readers.set(topic, read)
  }

  async gather(topic: Topic): Promise<readonly Statement[]> {
    const id = ++this.#requests
    const { promise, resolve } = Promise.withResolvers<readonly Statement[]>()
    const timer = setTimeout(() => resolve([]), gatherMs)
    this.#waiting.set(id, resolve)
    this.#send({ type: 'gather', id, topic })
    const statements = await promise
    clearTimeout(timer)
    this.#waiting.delete(id)
    return statements
  }

  leave(topic: Topic, value: unknown): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#send({ type: 'last', topic, value }, resolve)
    setTimeout(resolve, leaveMs)
    return promise
  }

  count(counts: unknown): void {
    this.#send({ type: 'counted', counts })
  }

  counted(handle: (counts: unknown) => void): void {
    this.#countHandlers.push(handle)
  }

  bytes(budget: Budget): SharedBytes {
    return this.#page.of(budget, this.seat.number)
  }

  listening(notes: readonly string[]): void {
    this.#send({ type: 'listening', notes })
  }

  fit(isFit: boolean): void {
    this.#send({ type: 'fit', isFit })
  }

  signalled(): void {
    setTimeout(() => this.#end(false), signalMs)
  }

  #send(message: FromWorker, sent: () => void = () => {}): void {
    this.#channel.send?.(message, sent)
  }

  #received(message: ToWorker): void {
    switch (message.type) {
      case 'stop':
        this.#end(message.isLast)
        break
      case 'request':
        void this.#answer(message.id, message.topic)
        break
      case 'ping':
        this.#send({ type: 'pong' })
        break
      case 'gathered':
        this.#waiting.get(message.id)?.(message.statements)
        break
      case 'counted':
        for (const handle of this.#countHandlers) handle(message.counts)
        break
      default:
    }
  }

  async #answer(id: number, topic: Topic): Promise<void> {
    const value = await this.#readers
      .get(topic)?.()
      .catch(() => undefined)
    if (value !== undefined) this.#send({ type: 'response', id, value })
  }

  #end(isLast: boolean): void {
    this.isEnding ||= isLast
    this.#stop()
  }
}
