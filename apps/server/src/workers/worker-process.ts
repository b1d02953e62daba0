import type { FromWorker, Statement, Topic, ToWorker } from './messages.ts'
import { type Patience, Pulse } from './pulse.ts'

/** The start of a worker. */
export interface WorkerStart {
  readonly number: number
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Become the descriptors from the third on, in this order. */
  readonly descriptors: readonly number[]
  readonly patience: Patience
}

/** Listener to a worker: its messages, and its end. */
export interface WorkerEvents {
  received(worker: WorkerProcess, message: FromWorker): void
  /** @param signal the one that ended it, else its exit code counts */
  ended(worker: WorkerProcess, code: number | null, signal: string | null): void
}

/** A worker that does not respond in time is busy: what it said last stands. */
const responseMs = 1000

/** A worker, as its supervisor sees it. */
export class WorkerProcess {
  readonly number: number
  readonly startedAt = performance.now()
  isListening = false
  isFit = true
  isLeaving = false
  hasEnded = false
  readonly pulse: Pulse
  /** The last statement of each topic. */
  readonly last = new Map<Topic, unknown>()
  /** Resolves with true when it listens, with false when it ends before. */
  readonly listening: Promise<boolean>
  /** Resolves with the exit code, or 1 after a signal. */
  readonly ended: Promise<number>
  readonly #child: Bun.Subprocess | undefined
  readonly #waiting = new Map<number, () => void>()
  #requests = 0

  constructor({ number, command, environment, descriptors, patience }: WorkerStart, events: WorkerEvents) {
    this.number = number
    this.pulse = new Pulse(patience)
    const listening = Promise.withResolvers<boolean>()
    const ended = Promise.withResolvers<number>()
    this.listening = listening.promise
    this.ended = ended.promise
    const end = (code: number | null, signal: string | null) => {
      this.hasEnded = true
      listening.resolve(false)
      for (const give of this.#waiting.values()) give()
      events.ended(this, code, signal)
      ended.resolve(code ?? 1)
    }
    const open = {
      env: environment,
      stdio: ['ignore', 'inherit', 'inherit', ...descriptors] as ['ignore', 'inherit', 'inherit'],
      serialization: 'json' as const,
      // Both ends are this program.
      ipc: (message: FromWorker) => {
        if (message.type === 'listening') {
          this.isListening = true
          listening.resolve(true)
        }
        this.#heed(message)
        events.received(this, message)
      },
      onExit: (_: unknown, code: number | null, signal: unknown) =>
        end(code, signal === null ? null : String(signal)),
    }
    try {
      this.#child = Bun.spawn([...command], open)
    } catch (error) {
      // The program on the disk is being replaced, or the system has no room for a process.
      this.#child = undefined
      queueMicrotask(() => end(null, (error as Error).message))
    }
  }

  /** New connections may go to it. */
  get isOpen(): boolean {
    return this.isListening && !this.isLeaving && !this.hasEnded
  }

  send(message: ToWorker): void {
    if (this.hasEnded) return
    try {
      this.#child?.send(message)
    } catch {
      // It ends at this moment, and its channel is closed.
    }
  }

  /** Asks it to end in good order. */
  stop(isLast: boolean): void {
    this.isLeaving = true
    this.send({ type: 'stop', isLast })
  }

  kill(): void {
    this.#child?.kill('SIGKILL')
  }

  /** Asks for a sign of life. */
  ping(): void {
    this.pulse.requested()
    this.send({ type: 'ping' })
  }

  /** Asks it of a topic; what it said last stands where it does not respond in time. `undefined` when it has said nothing yet. */
  async ask(topic: Topic): Promise<Statement | undefined> {
    const id = ++this.#requests
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, responseMs)
    this.#waiting.set(id, resolve)
    this.#topics.set(id, topic)
    this.send({ type: 'request', id, topic })
    if (!this.hasEnded && !this.pulse.isSlow) await promise
    clearTimeout(timer)
    this.#waiting.delete(id)
    this.#topics.delete(id)
    if (this.hasEnded || !this.last.has(topic)) return undefined
    return { worker: this.number, isLeaving: this.isLeaving, value: this.last.get(topic) }
  }

  readonly #topics = new Map<number, Topic>()

  #heed(message: FromWorker): void {
    if (message.type === 'pong') this.pulse.responded()
    if (message.type === 'fit') this.isFit = message.isFit
    if (message.type === 'last') this.last.set(message.topic, message.value)
    if (message.type !== 'response') return
    const topic = this.#topics.get(message.id)
    if (topic !== undefined) this.last.set(topic, message.value)
    this.#waiting.get(message.id)?.()
  }
}
