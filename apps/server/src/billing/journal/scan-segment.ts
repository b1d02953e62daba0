import { crc32 } from 'node:zlib'
import {
  entryChecksumAt,
  entryHeaderBytes,
  entrySeqAt,
  payloadLengthAt,
  writeEntrySeq,
} from '../../store/settlement.ts'
import { checksummedFrom, type JournalEntry, maxEntryBytes, readEntryAt } from './entry.ts'
import type { JournalFile } from './files.ts'
import { entriesLimit, entriesStart, headBytes, type SegmentHead } from './segment-head.ts'
import { maxPayloadBytes } from './truncate-call.ts'

/** No entry is shorter: header, numbers, six empty texts. */
export const minEntryBytes = entryHeaderBytes + 40
/** Large enough that few reads are needed, small enough to read between two streams. */
const readBytes = 256 * 1024

/** Bytes that are no entry, with an entry of the same segment behind them. */
export interface Gap {
  readonly kind: 'gap'
  /** Numbers of the entries that stood there. */
  readonly first: number
  readonly last: number
}

/** End of a segment. */
export interface SegmentEnd {
  readonly kind: 'end'
  /** Number of the last entry; one less than the segment's first without any. */
  readonly lastSeq: number
  /** Offset of the next entry. */
  readonly at: number
  /** Another entry began there and is not whole. */
  readonly isTorn: boolean
  /** The file is shorter than it was, and ends where entries may have stood. */
  readonly isCut: boolean
  /** Most entries that may have stood behind, in bytes that are not there or are no entries. */
  readonly atMost: number
}

export type ScannedPart = { readonly kind: 'entry'; readonly entry: JournalEntry } | Gap | SegmentEnd

/** A window over a file from which entries are read. */
class Window {
  readonly #file: JournalFile
  readonly #buffer: Buffer<ArrayBuffer>
  readonly #limit: number
  #start = 0
  #bytes = Buffer.alloc(0)

  constructor(file: JournalFile, limit: number) {
    this.#file = file
    this.#limit = limit
    this.#buffer = Buffer.alloc(Math.min(readBytes, Math.max(limit, 1)))
  }

  /** The bytes from `position` on: an entry of the largest size, or what the file has. */
  at(position: number): { readonly bytes: Buffer; readonly offset: number } {
    const end = Math.min(position + maxEntryBytes, this.#limit)
    if (position < this.#start || end > this.#start + this.#bytes.length) this.#read(position)
    return { bytes: this.#bytes, offset: position - this.#start }
  }

  #read(position: number): void {
    this.#start = position
    const length = Math.max(0, Math.min(this.#buffer.length, this.#limit - position))
    this.#bytes = this.#buffer.subarray(0, length)
    this.#bytes = this.#bytes.subarray(0, length === 0 ? 0 : this.#file.read(this.#bytes, position))
  }
}

/**
 * Reads a segment to its last entry. What is no entry is skipped byte by byte until a checksum holds again: numbers in a
 * segment have no holes, so that the entries between are counted.
 * @param knownEnd where the segment that is being written ends: nothing is looked for behind it
 */
export function* scanSegment(
  file: JournalFile,
  head: SegmentHead,
  knownEnd?: number,
): Generator<ScannedPart, void> {
  const limit = knownEnd ?? Math.min(entriesLimit(head, file.size), file.size)
  const window = new Window(file, limit)
  let at = entriesStart(head)
  let seq = head.firstSeq
  while (true) {
    const { bytes, offset } = window.at(at)
    const entry = readEntryAt(bytes, offset, seq, head.nonce)
    if (entry !== undefined) {
      yield { kind: 'entry', entry }
      at += entry.bytes.length
      seq += 1
      continue
    }
    const found =
      knownEnd !== undefined && at >= knownEnd ? undefined : findNext(window, at, limit, seq, head)
    if (found === undefined) break
    yield { kind: 'gap', first: seq, last: found.seq - 1 }
    at = found.at
    seq = found.seq
  }
  yield endOf(window, { at, seq, limit, head, file })
}

interface Position {
  readonly at: number
  readonly seq: number
}

/** The next whole entry, further behind, with the number `seq` or a later one that the bytes between allow for. */
function findNext(
  window: Window,
  from: number,
  limit: number,
  seq: number,
  head: SegmentHead,
): Position | undefined {
  const last = limit - minEntryBytes
  let at = from + 1
  while (at <= last) {
    const { bytes, offset } = window.at(at)
    const base = at - offset
    // As far as an entry of the largest size is in the window.
    const until = Math.max(at, Math.min(last, base + bytes.length - maxEntryBytes))
    // Room that was never written to is most of a young segment.
    if (isZero(bytes.subarray(offset))) at = until + 1
    for (; at <= until; at += 1) {
      const found = numberAt(bytes, at - base, head.nonce, seq, (at - from) / minEntryBytes)
      if (found !== undefined) return { at, seq: found }
    }
  }
  return undefined
}

const zeros = Buffer.alloc(readBytes)

function isZero(bytes: Buffer): boolean {
  return bytes.equals(zeros.subarray(0, bytes.length))
}

/** The number of the whole entry at `offset`, from `seq` on and at most `distance` further. */
function numberAt(
  bytes: Buffer,
  offset: number,
  nonce: number,
  seq: number,
  distance: number,
): number | undefined {
  // Most places are ruled out here: a length has no high bytes.
  if (bytes[offset + 3] !== 0 || bytes[offset + 2] !== 0) return undefined
  const payload = payloadLengthAt(bytes, offset)
  if (payload === 0 || payload > maxPayloadBytes) return undefined
  const found = entrySeqAt(bytes, offset)
  if (found < seq || found > seq + distance) return undefined
  return readEntryAt(bytes, offset, found, nonce)?.seq
}

interface Tail extends Position {
  readonly limit: number
  readonly head: SegmentHead
  readonly file: JournalFile
}

function endOf(window: Window, { at, seq, limit, head, file }: Tail): SegmentEnd {
  const { bytes, offset } = window.at(at)
  const isTorn = isBegun(bytes, offset, seq, head.nonce)
  const size = head.identity?.size ?? 0
  // What is behind the last entry shows that there were no more, unless the file ends before that.
  const isCut = file.size < size && (isTorn || limit - at < entryHeaderBytes)
  const missing = isCut ? size - limit : 0
  const torn = isTorn ? Math.max(minEntryBytes, usedBytes(window, at, limit)) : 0
  return {
    kind: 'end',
    lastSeq: seq - 1,
    at,
    isTorn,
    isCut,
    atMost: Math.floor((missing + torn) / minEntryBytes),
  }
}

/**
 * Recognises the beginning of an entry of that number; remains of a former use of the file have other numbers or another checksum.
 */
function isBegun(bytes: Buffer, offset: number, seq: number, nonce: number): boolean {
  if (bytes.length - offset < entryHeaderBytes) return false
  if (entrySeqAt(bytes, offset) === seq) return true
  const end = offset + entryHeaderBytes + payloadLengthAt(bytes, offset)
  if (end > bytes.length || end - offset > maxEntryBytes) return false
  const mended = Buffer.from(bytes.subarray(offset, end))
  writeEntrySeq(mended, 0, seq)
  return crc32(mended.subarray(checksummedFrom), nonce) === mended.readUInt32LE(entryChecksumAt)
}

/** Bytes between the places of heads, up to the last one that is not zero. */
export function contentBytes(file: JournalFile): number {
  const buffer = Buffer.alloc(readBytes)
  let used = 0
  for (let start = headBytes; start < file.size - headBytes; start += readBytes) {
    const length = Math.min(file.read(buffer, start), file.size - headBytes - start)
    let end = length
    while (end > 0 && buffer[end - 1] === 0) end -= 1
    if (end > 0) used = start + end - headBytes
  }
  return used
}

/** Bytes up to the last one that is not zero, within the largest batch that one write takes. */
function usedBytes(window: Window, at: number, limit: number): number {
  const { bytes, offset } = window.at(Math.min(at, limit))
  let end = bytes.length
  while (end > offset && bytes[end - 1] === 0) end -= 1
  return end - offset
}
