import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../lib/logger.ts'
import { settlementsIn } from '../store/settlement-pack.ts'
import type { LedgerRepository } from '../store/store.ts'
import type { Journal, JournalEntry } from './journal/journal.ts'
import { createWaitingLine, type WaitingGroup } from './waiting-line.ts'

/** Writes settled calls from the journal into the database, in groups, each exactly once. */
export interface Drain {
  /** The journal has recorded it; the database will have it soon. */
  add(entry: JournalEntry): void
  /** Runs `work` while no group is being written. */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when the database has what was settled before, or does not take it now. */
  flush(): Promise<void>
  /** Writes everything that waits; gives up when the database stays away, for the journal keeps what is left. */
  close(): Promise<void>
}

export interface DrainOptions {
  readonly repository: Pick<LedgerRepository, 'drain' | 'journalPosition'>
  readonly journal: Pick<Journal, 'node' | 'lastSeq' | 'entriesAfter' | 'record' | 'release' | 'sync'>
  readonly logger: Logger
  /** Position that the database is at. */
  readonly position: number
  /** Called when the database has everything up to `position`; that may be where it was before, when it went back. */
  readonly onDrained: (position: number) => void
  readonly delayMs?: number
  readonly retryMs?: number
}

/** A group is written when so many calls wait, or when the first of them has waited long enough. */
const fullGroup = 20_000
const defaultDelayMs = 200
/**
 * After a group as large as this the next gathers for longer: the more calls an account has in one, the fewer times it
 * is written, and writing a thousand accounts over and over is what costs a busy gateway most.
 */
const busyGroup = 500
const busyDelays = 10
const defaultRetryMs = 200
const maxRetryMs = 10_000
const triesAtClose = 5

export function createDrain(options: DrainOptions): Drain {
  const {
    repository,
    journal,
    logger,
    onDrained,
    delayMs = defaultDelayMs,
    retryMs = defaultRetryMs,
  } = options
  const line = createWaitingLine(journal, options.position)
  /** End of the largest group tried: what the database may have without our knowing. */
  let tried = options.position
  let groupSize = fullGroup
  let refused = 0
  let failures = 0
  let lastGroup = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn: Promise<unknown> = Promise.resolve()
  let running = false
  let closing = false

  function wakeAfter(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), ms)
    // What is left over at the end of the process is in the journal.
    timer.unref()
  }

  /** Writes what waits now; what comes meanwhile gathers for the next time. */
  async function run(): Promise<void> {
    timer = undefined
    if (running || closing) return
    running = true
    const target = journal.lastSeq
    while (!closing && line.position < target && line.length > 0) {
      if (!(await exclusive(writeGroup))) break
    }
    running = false
    if (!closing && line.length > 0) wakeAfter(nextDelay())
  }

  function nextDelay(): number {
    if (failures > 0) return Math.min(maxRetryMs, retryMs * 2 ** (failures - 1))
    if (line.length >= fullGroup) return 0
    return lastGroup >= busyGroup ? delayMs * busyDelays : delayMs
  }

  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work, work)
    turn = result.catch(() => undefined)
    return result
  }

  /** False when the database did not take it. */
  async function writeGroup(): Promise<boolean> {
    if (line.length === 0) return true
    // The database is never ahead of the journal.
    journal.record()
    const group = line.first(groupSize)
    if (group === undefined) return lost()
    const { count, last, packs } = group
    if (count !== last - line.position) reportHole(group)
    tried = Math.max(tried, last)
    try {
      await repository.drain({ node: journal.node, after: line.position, last, packs })
      written(last)
      return true
    } catch (error) {
      await clearUp(error, group)
      return false
    }
  }

  function written(position: number): void {
    lastGroup = position - line.position
    line.advance(position)
    journal.release(position)
    if (failures > 0) logger.info('drain: the database takes settled calls again')
    failures = 0
    groupSize = Math.min(fullGroup, groupSize * 2)
    onDrained(position)
  }

  /** The group may have been written although the answer failed: the position in the database tells. */
  async function clearUp(error: unknown, group: WaitingGroup): Promise<void> {
    const stored = await repository.journalPosition(journal.node).catch(() => undefined)
    if (stored !== undefined && stored > line.position && stored <= tried) return written(stored)
    failed(error)
    if (stored === undefined) return
    if (stored < line.position) wentBack(stored)
    else if (stored > tried)
      logger.error({ stored }, 'drain: another process writes under the name of this node')
    else shrink(group)
  }

  function failed(error: unknown): void {
    failures += 1
    if (failures === 1)
      logger.error({ err: error }, 'drain: the database does not take settled calls, they wait')
    // While the database is away the journal alone has them: then they should survive a power cut, too.
    journal.sync().catch(() => undefined)
  }

  /** A database that answers but refuses a group may take the parts of it that it does not object to. */
  function shrink(group: WaitingGroup): void {
    const { count, last, packs } = group
    if (count === 1 && last !== refused) {
      refused = last
      const requestId = packs.flatMap(settlementsIn)[0]?.requestId
      logger.error({ seq: last, requestId }, 'drain: the database refuses this settled call')
    }
    groupSize = Math.max(1, Math.floor(count / 2))
  }

  function wentBack(stored: number): void {
    logger.error(
      { stored, known: line.position },
      'drain: the database went back in time, writing again from there',
    )
    tried = stored
    line.rewind(stored)
  }

  function reportHole(group: WaitingGroup): void {
    logger.error(
      { after: line.position, found: group.count },
      'drain: settled calls are missing from the journal',
    )
  }

  function lost(): boolean {
    logger.error(
      { after: line.position, calls: line.length },
      'drain: settled calls are gone from the journal',
    )
    line.giveUp()
    return false
  }

  return {
    add(entry) {
      line.add(entry)
      if (running || closing || failures > 0) return
      if (timer === undefined || line.length === fullGroup) wakeAfter(nextDelay())
    },
    exclusive,
    async flush() {
      const target = journal.lastSeq
      while (!closing && failures === 0 && line.length > 0 && line.position < target) {
        if (!(await exclusive(writeGroup))) return
      }
    },
    async close() {
      closing = true
      clearTimeout(timer)
      for (let tries = 0; line.length > 0 && tries < triesAtClose; ) {
        if (await exclusive(writeGroup)) continue
        tries += 1
        await sleep(Math.min(nextDelay(), retryMs * 4))
      }
      if (line.length > 0) logger.warn({ calls: line.length }, 'drain: settled calls stay in the journal')
    },
  }
}
