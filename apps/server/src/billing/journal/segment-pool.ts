import type { Clock } from '@tollgate/base'
import type { Logger } from '../../lib/logger.ts'
import { createCondition } from './condition.ts'
import type { JournalFile, JournalFiles } from './files.ts'
import { entriesPerSegment, readSegment } from './segment.ts'

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

/** Free segment files: room that is on the disk already. */
export interface SegmentPool {
  /** Files whose content the database has, as far as it was not written over. */
  readonly spares: readonly JournalFile[]
  /** Entries of the largest size that the spares take. */
  readonly room: number
  /** The spare whose content is oldest: the newest history survives longest. */
  readonly next: JournalFile | undefined
  /** Takes `next` out. */
  take(): void
  /** Takes a file back whose entries the database has. */
  give(file: JournalFile): void
  /** Drops what cannot be reused and makes sure of a first segment, if the disk lets it. */
  start(): Promise<void>
  /** Sees to it that in the background there will be room for twice the calls in flight. */
  keepAhead(inFlight: number, inUse: number): void
  close(): Promise<void>
}

/** A disk that refused is not asked again sooner, however many calls come. */
const retryAfterMs = 500

export function createSegmentPool(options: SegmentPoolOptions): SegmentPool {
  const { files, segmentBytes, spareSegments, maxSegments } = options
  const perSegment = entriesPerSegment(segmentBytes)
  const allocating = createCondition(
    options,
    { broken: 'journal: cannot allocate room ahead', mended: 'journal: allocating again' },
    retryAfterMs,
  )
  let spares = files.openAll()
  let wanted = spareSegments
  let growing: Promise<void> | undefined
  let closed = false

  const isReusable = (file: JournalFile) => file.solid && file.size === segmentBytes

  async function grow(): Promise<void> {
    try {
      const file = await files.allocate(segmentBytes)
      if (closed) return file.close()
      spares.push(file)
      allocating.succeeded()
    } catch (error) {
      allocating.failed(error)
    }
  }

  function keepAhead(inFlight: number, inUse: number): void {
    wanted = Math.max(spareSegments, Math.ceil((2 * (inFlight + 1)) / perSegment))
    if (spares.length >= wanted || growing !== undefined || closed) return
    if (inUse + spares.length >= maxSegments || !allocating.mayTry) return
    growing = grow().finally(() => {
      growing = undefined
      keepAhead(inFlight, inUse)
    })
  }

  return {
    get spares() {
      return spares
    },
    get room() {
      return spares.length * perSegment
    },
    get next() {
      return spares[0]
    },
    take: () => void spares.shift(),
    give(file) {
      // One more than wanted is kept, so that filling and draining in turn neither makes nor removes files.
      if (isReusable(file) && spares.length <= wanted) spares.push(file)
      else file.remove()
    },
    async start() {
      for (const file of spares) if (!isReusable(file)) file.remove()
      spares = oldestFirst(spares.filter(isReusable))
      if (spares.length === 0) await grow()
    },
    keepAhead,
    async close() {
      closed = true
      await growing
      for (const file of spares) file.close()
      spares = []
    },
  }
}

function oldestFirst(files: readonly JournalFile[]): JournalFile[] {
  const age = new Map(files.map((file) => [file, readSegment(file)?.firstSeq ?? 0]))
  return [...files].sort((a, b) => (age.get(a) ?? 0) - (age.get(b) ?? 0))
}
