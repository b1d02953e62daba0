import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Settlement } from '../../store/store.ts'
import type { Charge } from '../ledger-types.ts'
import { createCondition } from './condition.ts'
import { createEntryWriter } from './entry.ts'
import type { JournalFiles } from './files.ts'
import { fitToBound, isStorable } from './fit-to-bound.ts'
import { beginSegment, entriesBetween, entriesOf, readSegment, type Segment } from './segment.ts'
import { createSegmentPool } from './segment-pool.ts'
import { encodeSettlement, settlementOf } from './settlement-text.ts'

/**
 * The record of every settled call of this node until the database has it. Entries stand in blocks that were
 * allocated before the call was admitted, so neither `kill -9` nor a full disk loses one.
 */
export interface Journal {
  /** Names this journal in the database: positions are kept per node. */
  readonly node: string
  /** Sequence number given last. */
  readonly lastSeq: number
  /** Settlements past `position` in order, as far as they are still to be found; older ones may be gone. */
  settlementsAfter(position: number): Iterable<Settlement>
  /** Takes up writing after `position`, up to which the database has everything. Before that nothing is admitted. */
  start(position: number): Promise<void>
  /** Gives a charge the next number and puts it up for the next `record`. */
  append(charge: Charge): Settlement
  /**
   * Records everything that was appended, in one write: a crash before loses it, a crash after does not. Never throws:
   * what a broken disk refuses stays in memory until the disk or the database takes it, and admission stops meanwhile.
   */
  record(): void
  /** Whether every call in flight and one more can be recorded, each at its largest, without asking the disk. */
  canAdmit(inFlight: number): boolean
  /** The database has everything up to `position`: its segments are free for new entries. */
  release(position: number): void
  /** Resolves when what was appended has reached the device. */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface JournalOptions {
  readonly node: string
  readonly files: JournalFiles
  readonly clock: Clock
  readonly logger: Logger
  readonly segmentBytes?: number
  readonly spareSegments?: number
  readonly maxSegments?: number
}

const mebibyte = 1 << 20
const retryAfterMs = 200

export function createJournal(options: JournalOptions): Journal {
  const pool = createSegmentPool({
    segmentBytes: 8 * mebibyte,
    spareSegments: 2,
    maxSegments: 64,
    ...options,
  })
  const writer = createEntryWriter()
  const writing = createCondition(
    options,
    { broken: 'journal: cannot write, admission stops', mended: 'journal: writing again' },
    retryAfterMs,
  )
  /** Segments that are full and that the database does not have whole, oldest first. */
  let full: Segment[] = []
  let current: Segment | undefined
  /** Appended and sealed for `current`, but not written. */
  let sealed: Settlement[] = []
  /** What the disk refused. It is drained like the rest, so the database may have it before the disk does. */
  let unwritten: Settlement[] = []
  let nextSeq = 1

  function append(charge: Charge): Settlement {
    if (!writer.hasRoom) record()
    const settlement = draft(settlementOf(nextSeq, charge))
    nextSeq += 1
    if (unwritten.length > 0 || !enter(settlement)) unwritten.push(settlement)
    return settlement
  }

  /** Leaves the entry in the writer; returns the settlement as it will be read back. */
  function draft(settlement: Settlement): Settlement {
    const text = encodeSettlement(settlement)
    if (isStorable(settlement, text) && writer.draft(text)) return settlement
    const fitting = fitToBound(settlement)
    writer.draft(encodeSettlement(fitting))
    return fitting
  }

  /** Puts the entry drafted last into a segment, of which `record` writes it. */
  function enter(settlement: Settlement): boolean {
    const segment = segmentFor(settlement)
    if (segment === undefined) return false
    writer.seal(settlement.seq, segment.nonce)
    segment.end += writer.length
    segment.lastSeq = settlement.seq
    sealed.push(settlement)
    return true
  }

  /** Numbers in a segment have no holes: after one that the disk never took, the next begins another segment. */
  function segmentFor(settlement: Settlement): Segment | undefined {
    const { seq } = settlement
    if (
      current !== undefined &&
      current.lastSeq + 1 === seq &&
      current.end + writer.length <= current.file.size
    )
      return current
    record()
    // The disk refused those before it: it goes behind them.
    if (unwritten.length > 0) return undefined
    const fresh = tryRotate(seq)
    draft(settlement)
    return fresh
  }

  function record(): void {
    if (current === undefined || sealed.length === 0) return
    const { bytes, sealedLength } = writer
    try {
      current.file.write(bytes, sealedLength, current.end - sealedLength)
    } catch (error) {
      current.end -= sealedLength
      current.lastSeq -= sealed.length
      unwritten = [...sealed, ...unwritten]
      writing.failed(error)
    }
    sealed = []
    writer.clear()
  }

  function tryRotate(seq: number): Segment | undefined {
    try {
      return rotate(seq)
    } catch (error) {
      writing.failed(error)
      return undefined
    }
  }

  function rotate(seq: number): Segment {
    const file = pool.next
    if (file === undefined) throw new Error('no segment is free')
    const fresh = beginSegment(file, seq, randomNonce())
    pool.take()
    if (current !== undefined) full.push(current)
    current = fresh
    return fresh
  }

  /** After a failure: what waits is written first; a segment that can be begun shows that the disk writes again. */
  function mend(): void {
    if (!writing.broken || !writing.mayTry) return
    const refused = unwritten
    unwritten = []
    for (const settlement of refused) {
      if (!writer.hasRoom) record()
      if (unwritten.length > 0 || !enter(draft(settlement))) unwritten.push(settlement)
    }
    record()
    if (unwritten.length === 0 && tryRotate(nextSeq) !== undefined) writing.succeeded()
  }

  function* settlementsAfter(position: number): Generator<Settlement> {
    record()
    let last = position
    const segments = everySegment()
    for (const segment of segments) {
      // Two segments begin at one number when nothing was settled between two starts: then either may hold it.
      const next = segments.find(({ firstSeq }) => firstSeq > segment.firstSeq)
      if (next !== undefined && next.firstSeq <= last + 1) continue
      for (const settlement of entriesOf(segment, last)) {
        last = settlement.seq
        yield settlement
      }
    }
    for (const settlement of unwritten) if (settlement.seq > last) yield settlement
  }

  function everySegment(): Segment[] {
    const former = pool.spares.map(readSegment).filter((segment) => segment !== undefined)
    return [...former, ...segmentsInUse()].sort((a, b) => a.firstSeq - b.firstSeq)
  }

  function segmentsInUse(): Segment[] {
    return current === undefined ? full : [...full, current]
  }

  function keepAhead(inFlight: number): void {
    pool.keepAhead(inFlight, full.length + (current === undefined ? 0 : 1))
  }

  return {
    node: options.node,
    get lastSeq() {
      return nextSeq - 1
    },
    settlementsAfter,
    async start(position) {
      nextSeq = position + 1
      await pool.start()
      if (pool.next !== undefined) rotate(nextSeq)
      keepAhead(0)
    },
    append,
    record,
    canAdmit(inFlight) {
      mend()
      keepAhead(inFlight)
      const room = current === undefined ? 0 : entriesBetween(current.end, current.file.size)
      return !writing.broken && room + pool.room > inFlight
    },
    release(position) {
      while (full[0] !== undefined && full[0].lastSeq <= position) {
        pool.give(full[0].file)
        full.shift()
      }
      if (unwritten.length > 0) unwritten = unwritten.filter((settlement) => settlement.seq > position)
    },
    async sync() {
      record()
      await Promise.all(segmentsInUse().map(({ file }) => file.sync()))
    },
    async close() {
      record()
      for (const { file } of segmentsInUse()) file.close()
      full = []
      current = undefined
      await pool.close()
    },
  }
}

function randomNonce(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
