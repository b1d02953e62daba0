import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { FaultState } from './fault-state.ts'
import type { JournalFile, JournalFiles } from './files.ts'
import { entriesPerSegment } from './segment.ts'
import { blankHead, readHead } from './segment-head.ts'

export interface SegmentPoolOptions {
  readonly files: JournalFiles
  readonly clock: Clock
  readonly logger: Logger
  readonly segmentBytes: number
  /** Kept ready beside the segment in use. */
  readonly spareSegments: number
  /** Files there may be in all: past this the database has been away too long. */
  readonly maxSegments: number
}

/** A disk that refused is not asked again sooner, however many calls come. */
const retryAfterMs = 500

/** Free segment files: room that is on the disk already. */
export class SegmentPool {
  readonly #options: SegmentPoolOptions
  readonly #entriesPerSegment: number
  readonly #allocating: FaultState
  #spares: JournalFile[]
  #wanted: number
  #growing: Promise<void> | undefined
  #closed = false

  constructor(options: SegmentPoolOptions) {
    this.#options = options
    this.#entriesPerSegment = entriesPerSegment(options.segmentBytes)
    this.#wanted = options.spareSegments
    this.#spares = options.files.openAll()
    this.#allocating = new FaultState(
      options,
      {
        broken:
          'journal: no room can be allocated ahead, and calls stop when the rest is used: free space on the disk',
        recovered: 'journal: room is allocated ahead again',
      },
      retryAfterMs,
    )
  }

  /** Files whose content the database has, as far as it was not written over. */
  get spares(): readonly JournalFile[] {
    return this.#spares
  }

  /** Entries of the largest size that the spares take. */
  get room(): number {
    return this.#spares.length * this.#entriesPerSegment
  }

  /** The spare whose content is oldest: the newest history survives longest. */
  get next(): JournalFile | undefined {
    return this.#spares[0]
  }

  /** Takes `next` out. */
  take(): void {
    this.#spares.shift()
  }

  /** Takes a file back whose entries the database has. */
  give(file: JournalFile): void {
    // One more than wanted is kept, so that filling and flushing in turn neither makes nor removes files.
    if (this.#isReusable(file) && this.#spares.length <= this.#wanted) this.#spares.push(file)
    else file.remove()
  }

  /** Forgets what the spares hold, for good: after a power cut as well. */
  async blank(): Promise<void> {
    for (const file of this.#spares) blankHead(file)
    await Promise.all(this.#spares.map((file) => file.sync()))
  }

  /** Keeps a file aside, under a name that says why. Returns the name. */
  setAside(file: JournalFile, reason: string): string {
    this.#spares = this.#spares.filter((spare) => spare !== file)
    return file.setAside(reason)
  }

  /** Drops what cannot be reused and makes sure of a first segment, if the disk lets it. */
  async start(): Promise<void> {
    for (const file of this.#spares) if (!this.#isReusable(file)) file.remove()
    this.#spares = oldestFirst(this.#spares.filter((file) => this.#isReusable(file)))
    if (this.#spares.length === 0) await this.#grow()
  }

  /** Sees to it that in the background there will be room for twice the calls in flight. */
  allocateAhead(inFlight: number, inUse: number): void {
    const { spareSegments, maxSegments } = this.#options
    this.#wanted = Math.max(spareSegments, Math.ceil((2 * (inFlight + 1)) / this.#entriesPerSegment))
    if (this.#spares.length >= this.#wanted || this.#growing !== undefined || this.#closed) return
    if (inUse + this.#spares.length >= maxSegments || !this.#allocating.canRetry) return
    this.#growing = this.#grow().finally(() => {
      this.#growing = undefined
      this.allocateAhead(inFlight, inUse)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#growing
    for (const file of this.#spares) file.close()
    this.#spares = []
  }

  async #grow(): Promise<void> {
    try {
      const file = await this.#options.files.allocate(this.#options.segmentBytes)
      if (this.#closed) return file.close()
      this.#spares.push(file)
      this.#allocating.succeeded()
    } catch (error) {
      this.#allocating.failed(error)
    }
  }

  #isReusable(file: JournalFile): boolean {
    return file.preallocated && file.size === this.#options.segmentBytes
  }
}

function oldestFirst(files: readonly JournalFile[]): JournalFile[] {
  const age = new Map(files.map((file) => [file, firstSeqOf(file)]))
  return [...files].sort((a, b) => (age.get(a) ?? 0) - (age.get(b) ?? 0))
}

function firstSeqOf(file: JournalFile): number {
  const found = readHead(file)
  return found.kind === 'head' ? found.head.firstSeq : 0
}
