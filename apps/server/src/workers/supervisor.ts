import type { Logger } from '../lib/logger.ts'
import type { FromWorker, Statement, Topic } from './messages.ts'
import { defaultPatience, type Patience } from './pulse.ts'
import { environmentOf } from './seat.ts'
import { countFailure, createSlots, freeNumber, openSlots, restartDelayMs, type Slot } from './slot.ts'
import { type Entrance, Steering } from './steering.ts'
import { watchPulses } from './watch-pulses.ts'
import { type WorkerEvents, WorkerProcess } from './worker-process.ts'

interface Dependencies {
  readonly count: number
  readonly entrance: Entrance
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly startedAt: number
  /** Returns what the supervisor itself says of a topic. */
  readonly ownStatement: (topic: Topic) => unknown
  /** Adds what a worker said last to what stays of those that have ended. */
  readonly retain: (topic: Topic, former: unknown, last: unknown) => unknown
  /** A worker has ended, and has nothing any more. */
  readonly gone: (worker: number) => void
  /** A line for the terminal. */
  readonly print: (line: string) => void
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  /** Patience with a worker that gives no sign of life. */
  readonly patience?: Patience
}

/** Starts the workers of a machine and keeps them. It reads no traffic. */
export class Supervisor implements WorkerEvents {
  readonly #deps: Dependencies & { readonly patience: Patience }
  readonly #slots: readonly Slot[]
  readonly #workers = new Set<WorkerProcess>()
  /** Number of the last worker that ended before it served: its folder is tried again after all others. */
  #failed = 0
  readonly #retained = new Map<Topic, unknown>()
  readonly #started = Promise.withResolvers<void>()
  readonly #steering: Steering
  #endWatch: (() => void) | undefined
  #reloading: Promise<void> | undefined
  #reloadAgain = false
  #hasServed = false
  #stopping: Promise<number> | undefined
  /** Workers that ended without being asked. */
  ends = 0

  constructor(deps: Dependencies) {
    this.#deps = { patience: defaultPatience, ...deps }
    this.#slots = createSlots(deps.count)
    this.#steering = new Steering(deps.entrance)
  }

  /** Workers that take new connections. */
  get open(): number {
    return this.#slots.filter(({ current }) => current?.isOpen).length
  }

  get count(): number {
    return this.#deps.count
  }

  /**
   * Starts the first worker, which brings the schema up, and then the others. Resolves with the exit code of the first where that does not
   * come to serve: it has said why; with `undefined` when all have had their start.
   */
  async start(): Promise<number | undefined> {
    const [first, ...others] = this.#slots
    if (first === undefined) return undefined
    // Who connects before anybody accepts waits for the first, and not for one that may never come.
    this.#steering.to([first])
    this.#endWatch = watchPulses({ workers: this.#workers, ...this.#deps, looked: () => this.#steer() })
    const worker = this.#begin(first, 1)
    // A stop that comes meanwhile ends the first alone: nobody would end the others.
    if (!(await worker.listening) || this.#stopping !== undefined) return await worker.ended
    await Promise.all(others.map((slot) => this.#begin(slot, slot.index + 1).listening))
    this.#started.resolve()
    return undefined
  }

  /** Replaces every worker, one at a time, once all have had their start. A second call while it works has it begin anew at its end. */
  reload(): Promise<void> {
    this.#reloadAgain = this.#reloading !== undefined
    this.#reloading ??= this.#started.promise
      .then(() => this.#replaceAll())
      .finally(() => {
        this.#reloading = undefined
        if (this.#reloadAgain) void this.reload()
      })
    return this.#reloading
  }

  /** Ends all workers in good order; resolves with the exit code of the machine. */
  stop(): Promise<number> {
    this.#stopping ??= this.#stopAll()
    return this.#stopping
  }

  kill(): void {
    for (const worker of this.#workers) worker.kill()
  }

  received(worker: WorkerProcess, message: FromWorker): void {
    switch (message.type) {
      case 'listening':
        this.#print(message.notes)
        this.#steer()
        break
      case 'fit':
        this.#steer()
        break
      case 'gather':
        void this.gather(message.topic).then((statements) =>
          worker.send({ type: 'gathered', id: message.id, statements }),
        )
        break
      case 'counted':
        for (const other of this.#workers) if (other !== worker) other.send(message)
        break
      default:
    }
  }

  ended(worker: WorkerProcess, code: number | null, signal: string | null): void {
    this.#workers.delete(worker)
    if (!worker.isListening) this.#failed = worker.number
    this.#deps.gone(worker.number)
    this.#retain(worker)
    const slot = this.#slots.find(({ current }) => current === worker)
    if (slot !== undefined) {
      slot.current = undefined
      this.#steer()
    }
    // Where the first does not come to serve, the machine ends with it.
    const isOver = this.#stopping !== undefined || !this.#hasServed
    if (isOver || worker.isLeaving || slot === undefined) return
    this.ends += 1
    this.#beginAgain(slot, worker, signal ?? `exit code ${code}`)
  }

  #begin(slot: Slot, number: number): WorkerProcess {
    const worker = this.#spawn(slot, number)
    slot.awaited = undefined
    slot.current = worker
    return worker
  }

  #spawn({ index }: Slot, number: number): WorkerProcess {
    const { count, entrance, command, environment, startedAt, patience } = this.#deps
    const own = entrance.sockets[index] ?? []
    const firstDescriptor = 3
    const seat = {
      number,
      count,
      sockets: own.map((_, position) => firstDescriptor + position),
      metricsSockets: entrance.metricsSockets.map((_, position) => firstDescriptor + own.length + position),
      isLent: entrance.isLent,
      startedAt,
    }
    const worker = new WorkerProcess(
      {
        number,
        command,
        environment: { ...environment, ...environmentOf(seat) },
        descriptors: [...own, ...entrance.metricsSockets],
        patience,
      },
      this,
    )
    this.#workers.add(worker)
    return worker
  }

  /**
   * The successor has the folder of the worker that ended: what that one had settled is in its journal. One that follows a worker which never
   * served has another, as the folder may be why (a broken disk): those in the queue wait for it.
   */
  #beginAgain(slot: Slot, { number, startedAt, isListening }: WorkerProcess, end: string): void {
    const delayMs = restartDelayMs(countFailure(slot, performance.now() - startedAt))
    const next = isListening ? number : freeNumber(this.#slots, this.#workers, this.#failed)
    slot.awaited = next
    const again = next === number ? 'is started again' : `worker ${next} takes its queue with another folder`
    this.#deps.logger.error(
      { worker: number, end, next, againInMs: delayMs },
      `worker ${number} ended (${end}) and ${again}, while the others serve on: its last entries say why, or those of the system where it was killed`,
    )
    slot.timer = setTimeout(() => this.#begin(slot, next), delayMs)
  }

  async #replaceAll(): Promise<void> {
    const { logger } = this.#deps
    logger.info({ workers: this.count }, 'the workers are replaced, one after the other')
    for (const slot of this.#slots) {
      if (this.#stopping !== undefined) return
      if (!(await this.#replace(slot))) {
        logger.error(
          {},
          'the new worker did not come to serve, and the others stay as they are: its entries say why; send SIGHUP again then',
        )
        return
      }
    }
    logger.info({ workers: this.count }, 'every worker was replaced')
  }

  /** False when the new worker does not come to serve: the former one stays. */
  async #replace(slot: Slot): Promise<boolean> {
    const next = this.#spawn(slot, freeNumber(this.#slots, this.#workers, this.#failed))
    if (!(await next.listening)) return this.#stopping !== undefined
    const former = slot.current
    clearTimeout(slot.timer)
    slot.current = next
    slot.awaited = undefined
    slot.failures = 0
    this.#steer()
    former?.stop(false)
    await former?.ended
    return true
  }

  async #stopAll(): Promise<number> {
    for (const { timer } of this.#slots) clearTimeout(timer)
    const workers = [...this.#workers]
    for (const worker of workers) worker.stop(!this.#deps.entrance.isLent)
    const codes = await Promise.all(workers.map(({ ended }) => ended))
    this.#endWatch?.()
    return Math.max(0, ...codes)
  }

  /** Prints what the first worker says of its start, once. */
  #print(notes: readonly string[]): void {
    for (const line of this.#hasServed ? [] : notes) this.#deps.print(line)
    this.#hasServed = true
  }

  #steer(): void {
    this.#steering.to(openSlots(this.#slots))
  }

  /** Asks all workers of a topic, and adds what the supervisor says itself, and what stays of those that have ended. */
  async gather(topic: Topic): Promise<readonly Statement[]> {
    const live = await Promise.all([...this.#workers].map((worker) => worker.ask(topic)))
    const own = [this.#deps.ownStatement(topic), this.#retained.get(topic)]
    return [
      ...live.filter((statement) => statement !== undefined),
      ...own.flatMap((value) => (value === undefined ? [] : [{ worker: 0, isLeaving: false, value }])),
    ]
  }

  #retain({ last }: WorkerProcess): void {
    for (const [topic, value] of last)
      this.#retained.set(topic, this.#deps.retain(topic, this.#retained.get(topic), value))
  }
}
