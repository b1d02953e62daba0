import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import type { Settlement } from '../../store/settlement.ts'
import { encodeSettlement } from '../../store/settlement-text.ts'
import { createCondition } from './condition.ts'
import { createEntryWriter } from './entry.ts'
import type { JournalFiles } from './files.ts'
import { fitToBound } from './fit-to-bound.ts'
import {
  beginSegment,
  entriesBetween,
  entriesOf,
  type JournalEntry,
  readSegment,
  type Segment,
} from './segment.ts'
import { createSegmentPool } from './segment-pool.ts'

export type { JournalEntry } from './segment.ts'

/** What the journal keeps of a call: everything of a settlement but the number that it gives. */
export type JournalCall = Omit<Settlement, 'seq'>

/**
 * The record of every settled call of this node until the database has it. Entries stand in blocks that were
 * allocated before the call was admitted, so neither `kill -9` nor a full disk loses one.
 */
export interface Journal {
  /** Names this journal in the database: positions are kept per node. */
  readonly node: string
  /** Sequence number given last. */
  readonly lastSeq: number
  /** Entries past `position` in order, as far as they are still to be found; older ones may be gone. */
  entriesAfter(position: number): Iterable<JournalEntry>
  /** Takes up writing after `position`, up to which the database has everything. Before that nothing is admitted. */
  start(position: number): Promise<void>
  /** Gives a call the next number and puts it up for the next `record`. Returns it as it will be read back. */
  append(call: JournalCall): JournalEntry
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
  let sealed: JournalEntry[] = []
  /** What the disk refused. It is drained like the rest, so the database may have it before the disk does. */
  let unwritten: JournalEntry[] = []
  let nextSeq = 1

  function append(call: JournalCall): JournalEntry {
    if (!writer.hasRoom) record()
    const entry = { seq: nextSeq, text: draft(nextSeq, call) }
    nextSeq += 1
    if (unwritten.length > 0 || !enter(entry)) unwritten.push(entry)
    return entry
  }

  /** Leaves the entry in the writer; returns its text. */
  function draft(seq: number, call: JournalCall): string {
    const text = encodeSettlement(seq, call)
    if (writer.draft(text)) return text
    const fitting = encodeSettlement(seq, fitToBound(seq, call))
    writer.draft(fitting)
    return fitting
  }

  /** Puts the entry, which was drafted last, into a segment, of which `record` writes it. */
  function enter(entry: JournalEntry): boolean {
    const segment = segmentFor(entry)
    if (segment === undefined) return false
    writer.seal(entry.seq, segment.nonce)
    segment.end += writer.length
    segment.lastSeq = entry.seq
    sealed.push(entry)
    return true
  }

  /** Numbers in a segment have no holes: after one that the disk never took, the next begins another segment. */
  function segmentFor({ seq, text }: JournalEntry): Segment | undefined {
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
    writer.draft(text)
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
    for (const entry of refused) {
      if (!writer.hasRoom) record()
      writer.draft(entry.text)
      if (unwritten.length > 0 || !enter(entry)) unwritten.push(entry)
    }
    record()
    if (unwritten.length === 0 && tryRotate(nextSeq) !== undefined) writing.succeeded()
  }

  function* entriesAfter(position: number): Generator<JournalEntry> {
    record()
    let last = position
    const segments = everySegment()
    for (const segment of segments) {
      // Two segments begin at one number when nothing was settled between two starts: then either may hold it.
      const next = segments.find(({ firstSeq }) => firstSeq > segment.firstSeq)
      if (next !== undefined && next.firstSeq <= last + 1) continue
      for (const entry of entriesOf(segment, last)) {
        last = entry.seq
        yield entry
      }
    }
    for (const entry of unwritten) if (entry.seq > last) yield entry
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
    entriesAfter,
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
      if (unwritten.length > 0) unwritten = unwritten.filter(({ seq }) => seq > position)
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
