import { randomUUID } from 'node:crypto'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import type { SettledCall } from '../../store/settlement.ts'
import { type EncodedEntry, EntryWriter, type JournalEntry } from './entry.ts'
import { unreadableJournal } from './errors.ts'
import { FaultState } from './fault-state.ts'
import type { JournalFile, JournalFiles, JournalMark } from './files.ts'
import { claimOf, foreignJournal } from './owner.ts'
import { type FaultyFile, JournalReading, type Settled } from './read-segments.ts'
import { scanSegment } from './scan-segment.ts'
import { beginSegment, entriesBetween, type Segment } from './segment.ts'
import { readHead, type SegmentHead } from './segment-head.ts'
import { SegmentPool } from './segment-pool.ts'
import { SyncTimer } from './sync-timer.ts'

export type { EncodedEntry, JournalEntry } from './entry.ts'

export interface JournalOptions {
  /** Names this journal in the database, which stores a position per node. */
  readonly node: string
  readonly files: JournalFiles
  /** Monotonic: for pauses between tries. */
  readonly clock: Clock
  readonly logger: Logger
  /** Longest time before recorded entries are synced to the device; 0 never syncs. */
  readonly syncMs?: number
  readonly segmentBytes?: number
  readonly spareSegments?: number
  readonly maxSegments?: number
}

const mebibyte = 1 << 20
const retryAfterMs = 200
const defaultSyncMs = 1000

/**
 * Records every settled call of this node until the database has it. Entries go into blocks that were allocated before the
 * call was admitted, so neither `kill -9` nor a full disk loses one. A power cut can lose those of the last `syncMs`.
 */
export class Journal {
  readonly node: string
  readonly #files: JournalFiles
  readonly #logger: Logger
  readonly #pool: SegmentPool
  readonly #writer = new EntryWriter()
  readonly #writing: FaultState
  readonly #reading: FaultState
  readonly #syncTimer: SyncTimer
  /** Full segments with entries that the database lacks, oldest first. */
  #full: Segment[] = []
  #current: Segment | undefined
  /** Entries that the disk refused. They are flushed like the rest, so the database may have them before the disk does. */
  #unwritten: JournalEntry[] = []
  /** Files written to since their last sync. */
  readonly #unsynced = new Set<JournalFile>()
  #lastSeq = 0
  /** The database has everything up to here. */
  #released = 0
  #database: string | undefined
  /** This start of the node: entries are known by it and their numbers. */
  readonly run: string = randomUUID()
  #runFirst: number | undefined
  /** Every entry up to this number has reached the device. */
  #synced = 0

  constructor(options: JournalOptions) {
    this.node = options.node
    this.#files = options.files
    this.#logger = options.logger
    this.#pool = new SegmentPool({
      segmentBytes: 8 * mebibyte,
      spareSegments: 2,
      maxSegments: 64,
      ...options,
    })
    this.#writing = new FaultState(
      options,
      {
        broken:
          'journal: it cannot be written, so this node takes no calls: check the disk, its space and its owner',
        recovered: 'journal: it can be written again, and this node takes calls',
      },
      retryAfterMs,
    )
    this.#reading = new FaultState(
      options,
      {
        broken:
          'journal: it cannot be read, so this node takes no calls: check the disk and the owner of its files',
        recovered: 'journal: it can be read again, and this node takes calls',
      },
      retryAfterMs,
    )
    this.#syncTimer = new SyncTimer(options.syncMs ?? defaultSyncMs, () => this.sync())
  }

  /** The last assigned sequence number. */
  get lastSeq(): number {
    return this.#lastSeq
  }

  /** Number of settled calls that the database lacks. */
  get lag(): number {
    return this.#lastSeq - this.#released
  }

  /** Recognises charges of another database, which must not enter this one. */
  isForeignTo(database: string): boolean {
    return this.#claim(database) === 'foreign'
  }

  /**
   * Claims the journal for a database, before any replay. Starts a new one where another database has all its entries.
   * @throws JournalForeignError when it has charges that another database lacks
   */
  async claimFor(database: string): Promise<void> {
    const claim = this.#claim(database)
    if (claim === 'foreign') throw foreignJournal(this.#files.where)
    if (claim === 'flushed') {
      await this.#pool.blank()
      this.#files.writeMark(undefined)
    }
    if (claim !== 'own' || this.#files.readOwner()?.database !== database)
      this.#files.writeOwner({ database })
    this.#database = database
  }

  #claim(database: string) {
    return claimOf(this.#files.readOwner(), database, {
      segments: this.#heads(),
      hasEntriesAfter: (position) => this.#hasEntriesAfter(position),
    })
  }

  #hasEntriesAfter(position: number): boolean {
    for (const _ of this.entriesAfter(position)) return true
    return false
  }

  /** The starts of nodes whose entries it may have. */
  get runs(): string[] {
    const mark = this.#files.readMark()
    const runs = this.#heads().flatMap(({ identity }) => identity?.run ?? [])
    return [...new Set(mark === undefined ? runs : [...runs, mark.run])]
  }

  /**
   * Reads all that is there, before `start`.
   * @param database whose charges are read; of a journal that was claimed, the one that claimed it
   * @throws JournalUnusableError when another version wrote it
   */
  read(settled: Settled, database: string | undefined = this.#database): JournalReading {
    return this.#reported(
      () =>
        new JournalReading(this.#pool.spares, { node: this.node, database }, settled, this.#files.readMark()),
    )
  }

  /** Keeps files aside that are of no use as segments, before `start`. Returns their new names. */
  setAside(files: readonly FaultyFile[]): string[] {
    return files.map(({ file, fault }) => this.#pool.setAside(file, fault))
  }

  /** Starts writing after `position`, up to which the database has everything. Nothing is admitted before. */
  async start(position: number): Promise<void> {
    this.#lastSeq = position
    this.#released = position
    this.#runFirst = position + 1
    this.#synced = position
    await this.#pool.start()
    if (this.#pool.next !== undefined) this.#rotate(position + 1)
    this.#allocateAhead(0)
  }

  /** Assigns the next number to a call and queues it for the next `record`. @step */
  append(call: SettledCall): EncodedEntry {
    if (!this.#writer.hasRoom) this.record()
    this.#lastSeq += 1
    this.#writer.draft(this.#lastSeq, call)
    this.#enterDraft()
    return this.#writer
  }

  /**
   * Records all appended calls in one write: a crash before loses them, a crash after does not. Never throws: entries that a
   * broken disk refuses stay in memory until the disk or the database takes them, and admission stops meanwhile.
   */
  record(): void {
    const { bytes, sealedLength, sealedCount } = this.#writer
    const segment = this.#current
    if (segment === undefined || sealedCount === 0) return
    try {
      segment.file.write(bytes, sealedLength, segment.end - sealedLength)
      this.#written(segment.file)
    } catch (error) {
      segment.end -= sealedLength
      segment.lastSeq -= sealedCount
      this.#unwritten = [...this.#writer.copySealed(), ...this.#unwritten]
      this.#writing.failed(error)
    }
    this.#writer.clear()
  }

  /**
   * Checks the room for every call in flight and one more, each at its largest, without new disk space. Also false while the journal
   * cannot be read.
   */
  canAdmit(inFlight: number): boolean {
    this.#recover()
    this.#allocateAhead(inFlight)
    if (this.#writing.broken || this.#reading.broken) return false
    const segment = this.#current
    const room = segment === undefined ? 0 : entriesBetween(segment.end, segment.limit)
    return room + this.#pool.room > inFlight
  }

  /**
   * Yields the entries after `position` in order; older ones may be gone. Throws `JournalUnusableError` when they cannot be
   * read; nothing is admitted then until they can.
   */
  *entriesAfter(position: number): Iterable<JournalEntry> {
    this.record()
    let failed = false
    try {
      yield* this.#entriesAfter(position)
    } catch (error) {
      failed = true
      this.#reading.failed(error)
      throw unreadableJournal(this.#files.where, error)
    } finally {
      // Also runs when the consumer stops early.
      if (!failed) this.#reading.succeeded()
    }
  }

  /** Frees the segments up to `position` for new entries: the database has everything in them. */
  release(position: number): void {
    this.#released = Math.max(this.#released, position)
    for (
      let oldest = this.#full[0];
      oldest !== undefined && oldest.lastSeq <= position;
      oldest = this.#full[0]
    ) {
      this.#unsynced.delete(oldest.file)
      this.#pool.give(oldest.file)
      this.#full.shift()
    }
    if (this.#unwritten.length > 0) this.#unwritten = this.#unwritten.filter(({ seq }) => seq > position)
  }

  /** Resolves when recorded entries have reached the device, or could not: admission then stops until they can. */
  async sync(): Promise<void> {
    this.record()
    const files = [...this.#unsynced]
    const seq = this.#unwritten.length > 0 ? undefined : this.#lastSeq
    this.#unsynced.clear()
    try {
      await Promise.all(files.map((file) => file.sync()))
      if (seq === undefined || files.length === 0) return
      this.#synced = seq
      this.#writeMark()
    } catch (error) {
      // The kernel drops pages that it could not write: nothing more goes into this segment.
      this.#writing.failed(error)
    }
  }

  /** Says how far the entries have reached the device: what is missing before it was damaged, not torn by a power cut. */
  #writeMark(): void {
    const segment = this.#current
    if (this.#runFirst === undefined || segment === undefined) return
    const mark: JournalMark = {
      run: this.run,
      first: this.#runFirst,
      seq: this.#synced,
      begun: segment.head.firstSeq,
      size: segment.file.size,
      node: this.node,
      database: this.#database ?? '',
    }
    try {
      this.#files.writeMark(mark)
    } catch (error) {
      this.#logger.warn(
        { err: error },
        'journal: the mark of what is on the disk cannot be written, so a restart reads more of it: check the disk',
      )
    }
  }

  async close(): Promise<void> {
    this.#syncTimer.close()
    await this.sync()
    for (const { file } of this.#segmentsInUse()) file.close()
    this.#full = []
    this.#current = undefined
    await this.#pool.close()
    if (this.#database !== undefined && this.#released >= this.#lastSeq) this.#markFlushed(this.#database)
  }

  /** Marks the journal as flushed. Without the mark it stays bound to its database, and loses nothing. */
  #markFlushed(database: string): void {
    try {
      this.#files.writeOwner({ database, flushedTo: this.#lastSeq })
    } catch (error) {
      this.#logger.warn(
        { err: error },
        'journal: the mark that the database has everything cannot be written, so the next start reads it again: check the disk',
      )
    }
  }

  /** Puts the drafted entry into a segment, from which `record` writes it, or behind the entries that the disk refused. */
  #enterDraft(): void {
    const segment = this.#unwritten.length > 0 ? undefined : this.#segmentForDraft()
    if (segment === undefined) {
      this.#unwritten.push(this.#writer.copyDraft())
      return
    }
    this.#writer.seal(segment.head.nonce)
    segment.end += this.#writer.length
    segment.lastSeq = this.#writer.seq
  }

  /** Numbers in a segment have no holes: after one that the disk never took, the next begins another segment. */
  #segmentForDraft(): Segment | undefined {
    const { seq, length } = this.#writer
    const segment = this.#current
    if (segment !== undefined && segment.lastSeq + 1 === seq && segment.end + length <= segment.limit)
      return segment
    this.record()
    // The disk refused earlier entries: this one goes behind them.
    if (this.#unwritten.length > 0) return undefined
    return this.#tryRotate(seq)
  }

  #tryRotate(seq: number): Segment | undefined {
    try {
      return this.#rotate(seq)
    } catch (error) {
      this.#writing.failed(error)
      return undefined
    }
  }

  #rotate(seq: number): Segment {
    const file = this.#pool.next
    if (file === undefined) throw new Error('no segment is free')
    const fresh = beginSegment(file, seq, randomNonce(), {
      run: this.run,
      runFirst: this.#runFirst ?? seq,
      node: this.node,
      database: this.#database ?? '',
    })
    this.#written(file)
    this.#pool.take()
    if (this.#current !== undefined) this.#full.push(this.#current)
    this.#current = fresh
    this.#writeMark()
    return fresh
  }

  #written(file: JournalFile): void {
    this.#unsynced.add(file)
    this.#syncTimer.want()
  }

  /** After a failure, writes waiting entries first; a segment that can be started shows that the disk works again. */
  #recover(): void {
    if (!this.#writing.broken || !this.#writing.canRetry) return
    const refused = this.#unwritten
    this.#unwritten = []
    for (const entry of refused) {
      if (!this.#writer.hasRoom) this.record()
      this.#writer.draftAgain(entry)
      this.#enterDraft()
    }
    this.record()
    if (this.#unwritten.length === 0 && this.#tryRotate(this.#lastSeq + 1) !== undefined)
      this.#writing.succeeded()
  }

  *#entriesAfter(position: number): Generator<JournalEntry> {
    let last = position
    const segments = this.#segmentsAfter(position)
    for (const { file, head, end } of segments) {
      // Two segments begin at one number when nothing was settled between two starts: then either may hold it.
      const next = segments.find((other) => other.head.firstSeq > head.firstSeq)
      if (next !== undefined && next.head.firstSeq <= last + 1) continue
      for (const part of scanSegment(file, head, end)) {
        if (part.kind !== 'entry' || part.entry.seq <= last) continue
        last = part.entry.seq
        yield withRun(part.entry, head)
      }
    }
    for (const entry of this.#unwritten) if (entry.seq > last) yield { ...entry, run: this.run }
  }

  /** Past its beginning this run alone has numbers; before it the node's former runs have them. */
  #segmentsAfter(position: number): WrittenSegment[] {
    const isOwnRun = this.#runFirst !== undefined && position >= this.#runFirst - 1
    return [...this.#formerSegments(), ...this.#segmentsInUse()]
      .filter(({ head: { identity } }) =>
        isOwnRun ? identity?.run === this.run : identity === undefined || identity.node === this.node,
      )
      .sort((a, b) => a.head.firstSeq - b.head.firstSeq)
  }

  #formerSegments(): WrittenSegment[] {
    return this.#pool.spares.flatMap((file) => {
      const found = readHead(file)
      return found.kind === 'head' ? [{ file, head: found.head }] : []
    })
  }

  #heads(): SegmentHead[] {
    return this.#reported(() => this.#formerSegments().map(({ head }) => head))
  }

  #reported<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      throw unreadableJournal(this.#files.where, error)
    }
  }

  #segmentsInUse(): Segment[] {
    return this.#current === undefined ? this.#full : [...this.#full, this.#current]
  }

  #allocateAhead(inFlight: number): void {
    this.#pool.allocateAhead(inFlight, this.#full.length + (this.#current === undefined ? 0 : 1))
  }
}

/** A segment whose end is known while it is written to. */
type WrittenSegment = Pick<Segment, 'file' | 'head'> & { readonly end?: number }

function withRun(entry: JournalEntry, { identity }: SegmentHead): JournalEntry {
  return identity === undefined ? entry : { ...entry, run: identity.run }
}

function randomNonce(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
}
