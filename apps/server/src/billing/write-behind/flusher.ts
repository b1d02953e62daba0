import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../lib/logger.ts'
import { decodeSettlements } from '../../store/settlement.ts'
import type { LedgerRepository } from '../../store/store.ts'
import type { EncodedEntry, Journal } from '../journal/journal.ts'
import type { FlushGroup } from './flush-group.ts'
import { FlushQueue } from './flush-queue.ts'

export interface FlusherOptions {
  readonly repository: Pick<LedgerRepository, 'flush' | 'journalPosition'>
  readonly journal: Pick<Journal, 'node' | 'run' | 'lastSeq' | 'entriesAfter' | 'record' | 'release'>
  readonly logger: Logger
  /** Position that the database is at. */
  readonly position: number
  /** Called when the database has everything up to `position`; that may be where it was before, when it went back. */
  readonly onFlushed: (position: number) => void
  readonly delayMs?: number
  readonly retryMs?: number
}

/** A group is written when so many calls wait, or when the first of them has waited long enough. */
const fullGroup = 20_000
const defaultDelayMs = 200
/**
 * After a group as large as this the next one waits for longer: the more calls an account has in one, the fewer times it
 * is written, and writing a thousand accounts over and over is what costs a busy gateway most.
 */
const busyGroup = 500
const busyDelays = 10
const defaultRetryMs = 200
const maxRetryMs = 10_000
const triesAtClose = 5

/** Writes settled calls behind, from the journal into the database, in groups, each exactly once. */
export class Flusher {
  readonly #options: FlusherOptions
  readonly #delayMs: number
  readonly #retryMs: number
  readonly #queue: FlushQueue
  /** End of the largest group tried: what the database may have without our knowing. */
  #tried: number
  #groupSize = fullGroup
  /** The call that the database was last seen to refuse. */
  #refused = 0
  /** Tries in a row that wrote nothing. */
  #failures = 0
  #databaseFails = false
  #fault: unknown
  #lastGroup = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Settles when no group is being written and no exclusive work runs. */
  #turn: Promise<unknown> = Promise.resolve()
  #running = false
  #closing = false

  constructor(options: FlusherOptions) {
    this.#options = options
    this.#delayMs = options.delayMs ?? defaultDelayMs
    this.#retryMs = options.retryMs ?? defaultRetryMs
    this.#queue = new FlushQueue(options.journal, options.position)
    this.#tried = options.position
  }

  /** Settled calls that the database lacks. */
  get queued(): number {
    return this.#queue.length
  }

  /** The last group could not be written. */
  get isFailing(): boolean {
    return this.#failures > 0
  }

  /** Reason for which the last group could not be written; `undefined` when it was. */
  get fault(): unknown {
    return this.#fault
  }

  /** Queues a settled call for the database; the journal will have recorded it when the next group is written. @step */
  add(entry: EncodedEntry): void {
    this.#queue.add(entry)
    if (this.#running || this.#closing || this.#failures > 0) return
    if (this.#timer === undefined || this.#queue.length === fullGroup) this.#wakeAfter(this.#nextDelayMs())
  }

  /** Runs `work` while no group is being written. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  /** Resolves when the database has what was settled before, or does not take it now. */
  async flush(): Promise<void> {
    const target = this.#options.journal.lastSeq
    while (!this.#closing && this.#failures === 0 && this.#waits(target)) {
      if (!(await this.exclusive(() => this.#writeGroup()))) return
    }
  }

  /** Writes everything that waits; gives up when the database is unreachable, because the journal has the rest. */
  async close(): Promise<void> {
    this.#closing = true
    clearTimeout(this.#timer)
    for (let tries = 0; this.#queue.length > 0 && tries < triesAtClose; ) {
      if (await this.exclusive(() => this.#writeGroup())) continue
      tries += 1
      await sleep(Math.min(this.#nextDelayMs(), this.#retryMs * 4))
    }
    const { length } = this.#queue
    if (length > 0)
      this.#options.logger.warn(
        { calls: length },
        'flush: the database did not take these settled calls before the stop; the journal holds them until the next start',
      )
  }

  #waits(target: number): boolean {
    return this.#queue.length > 0 && this.#queue.position < target
  }

  #wakeAfter(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#run(), ms)
    // What is left over at the end of the process is in the journal.
    this.#timer.unref()
  }

  /** Writes what waits now; what comes meanwhile waits for the next time. */
  async #run(): Promise<void> {
    this.#timer = undefined
    if (this.#running || this.#closing) return
    this.#running = true
    const target = this.#options.journal.lastSeq
    while (!this.#closing && this.#waits(target)) {
      if (!(await this.exclusive(() => this.#writeGroup()))) break
    }
    this.#running = false
    if (!this.#closing && this.#queue.length > 0) this.#wakeAfter(this.#nextDelayMs())
  }

  #nextDelayMs(): number {
    if (this.#failures > 0) return Math.min(maxRetryMs, this.#retryMs * 2 ** (this.#failures - 1))
    if (this.#queue.length >= fullGroup) return 0
    return this.#lastGroup >= busyGroup ? this.#delayMs * busyDelays : this.#delayMs
  }

  /** False when the database did not take it, or the journal could not be read. Never throws. */
  async #writeGroup(): Promise<boolean> {
    if (this.#queue.length === 0) return true
    const { journal, repository } = this.#options
    // The database is never ahead of the journal.
    journal.record()
    const group = this.#nextGroup()
    if (group === 'unreadable') return false
    if (group === undefined) return this.#lost()
    const { position } = this.#queue
    if (group.count !== group.last - position) this.#reportHole(group)
    this.#tried = Math.max(this.#tried, group.last)
    try {
      const { last, batches, spans } = group
      await repository.flush({ node: journal.node, after: position, last, batches, spans })
      this.#written(group.last)
      return true
    } catch (error) {
      await this.#clearUp(error, group)
      return false
    }
  }

  #nextGroup(): FlushGroup | 'unreadable' | undefined {
    try {
      return this.#queue.first(this.#groupSize)
    } catch {
      // The journal has reported it, and admits nothing until it can be read.
      this.#failures += 1
      return 'unreadable'
    }
  }

  #written(position: number): void {
    const { logger, journal, onFlushed } = this.#options
    this.#lastGroup = position - this.#queue.position
    this.#queue.advance(position)
    journal.release(position)
    if (this.#databaseFails) logger.info('flush: the database takes settled calls again')
    this.#databaseFails = false
    this.#failures = 0
    this.#fault = undefined
    this.#groupSize = Math.min(fullGroup, this.#groupSize * 2)
    onFlushed(position)
  }

  /** Reads the position in the database, because the group may have been written although the response was lost. */
  async #clearUp(error: unknown, group: FlushGroup): Promise<void> {
    const { repository, journal, logger } = this.#options
    const { position } = this.#queue
    const stored = await repository.journalPosition(journal.node).catch(() => undefined)
    if (stored !== undefined && stored > position && stored <= this.#tried) return this.#written(stored)
    this.#failed(error)
    if (stored === undefined) return
    if (stored < position) this.#wentBack(stored)
    else if (stored > this.#tried)
      logger.error(
        { stored },
        'flush: another process writes under the name of this node: give each process a data folder of its own',
      )
    else this.#shrink(group)
  }

  #failed(error: unknown): void {
    this.#failures += 1
    this.#fault = error
    if (!this.#databaseFails)
      this.#options.logger.error(
        { err: error },
        'flush: the database does not take settled calls, and they wait in the journal: check the database',
      )
    this.#databaseFails = true
  }

  /** Retries with a smaller group: a database that responds but refuses a group may accept parts of it. */
  #shrink({ count, last, batches }: FlushGroup): void {
    if (count === 1 && last !== this.#refused) {
      this.#refused = last
      const requestId = batches.flatMap(decodeSettlements)[0]?.requestId
      this.#options.logger.error(
        { seq: last, requestId },
        'flush: the database refuses this settled call, which stays in the journal and is tried again: see the log of the database for the cause',
      )
    }
    this.#groupSize = Math.max(1, Math.floor(count / 2))
  }

  #wentBack(stored: number): void {
    this.#options.logger.error(
      { stored, known: this.#queue.position },
      'flush: the database is older than the journal, as after a restore, and the calls since then are written again',
    )
    this.#tried = stored
    this.#queue.rewind(stored)
  }

  #reportHole(group: FlushGroup): void {
    this.#options.logger.error(
      { after: this.#queue.position, found: group.count },
      'flush: settled calls between those found are missing from the journal, so their charges do not reach the database: check the disk, and run tollgate doctor',
    )
  }

  #lost(): boolean {
    this.#options.logger.error(
      { after: this.#queue.position, calls: this.#queue.length },
      'flush: the settled calls that waited are gone from the journal, so their charges do not reach the database: check the disk, and run tollgate doctor',
    )
    this.#queue.giveUp()
    return false
  }
}
