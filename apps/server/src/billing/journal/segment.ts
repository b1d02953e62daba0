import { maxEntryBytes } from './entry.ts'
import type { JournalFile } from './files.ts'
import {
  entriesLimit,
  entriesStart,
  headBytes,
  type SegmentHead,
  type SegmentIdentity,
  writeHead,
} from './segment-head.ts'

/** A stretch of the journal: entries with consecutive sequence numbers from `firstSeq` on. */
export interface Segment {
  readonly file: JournalFile
  readonly head: SegmentHead
  /** One less than the first number while empty. */
  lastSeq: number
  /** Offset for the next entry. */
  end: number
  /** Offset at which the room for entries ends. */
  readonly limit: number
}

/** Returns the number of entries of the largest size that fit from `offset` on. */
export function entriesBetween(offset: number, limit: number): number {
  return Math.max(0, Math.floor((limit - offset) / maxEntryBytes))
}

/** Entries of the largest size that a fresh segment of `size` takes. */
export function entriesPerSegment(size: number): number {
  return entriesBetween(headBytes, size - headBytes)
}

/** Begins a segment in a file: what the file held before cannot be read any more once this is written. */
export function beginSegment(
  file: JournalFile,
  firstSeq: number,
  nonce: number,
  identity: Omit<SegmentIdentity, 'size'>,
): Segment {
  const head = { nonce, firstSeq, identity: { ...identity, size: file.size } }
  writeHead(file, head)
  return {
    file,
    head,
    lastSeq: firstSeq - 1,
    end: entriesStart(head),
    limit: entriesLimit(head, file.size),
  }
}
