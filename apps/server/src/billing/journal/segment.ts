import { crc32 } from 'node:zlib'
import { type JournalEntry, maxEntryBytes, readEntryAt } from './entry.ts'
import type { JournalFile } from './files.ts'

/** Begins every segment of every version. */
const magic = 'TGJRNL'
/** Changes when the layout of segments or entries does; a later program reads earlier layouts too. */
const version = '02'
const headerBytes = 32
const checksumAt = 24
const twoTo32 = 2 ** 32
/** Large enough that few reads are needed, small enough to read between two streams. */
const readBytes = 256 * 1024

/** A stretch of the journal: entries with consecutive sequence numbers from `firstSeq` on. */
export interface Segment {
  readonly file: JournalFile
  /** Seeds the checksums of its entries: entries left over from an earlier use of the file fail theirs. */
  readonly nonce: number
  readonly firstSeq: number
  /** `firstSeq` - 1 while empty. */
  lastSeq: number
  /** Where the next entry goes. */
  end: number
}

/** How many entries of the largest size fit from `offset` on. */
export function entriesBetween(offset: number, size: number): number {
  return Math.max(0, Math.floor((size - offset) / maxEntryBytes))
}

/** Entries of the largest size that a fresh segment of `size` takes. */
export function entriesPerSegment(size: number): number {
  return entriesBetween(headerBytes, size)
}

/** Makes a file one that never held a segment. */
export function blankSegment(file: JournalFile): void {
  file.write(Buffer.alloc(headerBytes), headerBytes, 0)
}

/** Begins a segment in a file: what the file held before cannot be read any more once this is written. */
export function beginSegment(file: JournalFile, firstSeq: number, nonce: number): Segment {
  const header = Buffer.alloc(headerBytes)
  header.write(magic + version, 'latin1')
  header.writeUInt32LE(nonce, 8)
  header.writeUInt32LE(Math.floor(firstSeq / twoTo32), 12)
  header.writeUInt32LE(firstSeq % twoTo32, 16)
  header.writeUInt32LE(crc32(header.subarray(0, checksumAt)), checksumAt)
  file.write(header, headerBytes, 0)
  return { file, nonce, firstSeq, lastSeq: firstSeq - 1, end: headerBytes }
}

/**
 * The segment a file holds, its end not looked for yet; `undefined` when it never held one.
 * @throws when another version wrote it in a layout of its own: its charges must not be taken for free room
 */
export function readSegment(file: JournalFile): Segment | undefined {
  const header = Buffer.alloc(headerBytes)
  if (file.read(header, 0) < headerBytes || header.toString('latin1', 0, magic.length) !== magic)
    return undefined
  const written = header.toString('latin1', magic.length, magic.length + version.length)
  if (written !== version) throw new Error(unknownLayout(written))
  if (crc32(header.subarray(0, checksumAt)) !== header.readUInt32LE(checksumAt)) return undefined
  const firstSeq = header.readUInt32LE(12) * twoTo32 + header.readUInt32LE(16)
  return { file, nonce: header.readUInt32LE(8), firstSeq, lastSeq: firstSeq - 1, end: headerBytes }
}

function unknownLayout(written: string): string {
  return `another version of Tollgate wrote it (layout ${JSON.stringify(written)}, this one knows "${version}"). Start that version, stop it in good order so that the database has everything, and then move the folder away`
}

/** Yields the entries after `position`, in order, up to the first incomplete one. */
export function* entriesOf({ file, nonce, firstSeq }: Segment, position: number): Generator<JournalEntry> {
  const buffer = Buffer.alloc(Math.min(readBytes, file.size))
  let seq = firstSeq
  let start = headerBytes
  while (true) {
    const bytes = buffer.subarray(0, file.read(buffer, start))
    let offset = 0
    let entry = readEntryAt(bytes, offset, seq, nonce)
    while (entry !== undefined) {
      if (seq > position) yield entry
      seq += 1
      offset += entry.bytes.length
      entry = readEntryAt(bytes, offset, seq, nonce)
    }
    // The next read completes an entry that the buffer cut; without progress this is the end.
    if (offset === 0) return
    start += offset
  }
}
