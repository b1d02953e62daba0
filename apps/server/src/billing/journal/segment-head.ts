import { crc32 } from 'node:zlib'
import type { JournalFile } from './files.ts'

/** Begins every segment of every version. */
const magic = 'TGJRNL'
/** Changes when the layout of segments or entries does; a later program reads earlier layouts too. */
const layout = '03'
/** Version of segments without identities and without a second copy of the head. */
const formerLayout = '02'
const versionedBytes = magic.length + layout.length
/** A head takes this much at the start of the file, and its copy as much at the end. */
export const headBytes = 256
const formerHeadBytes = 32
const formerChecksumAt = 24
const checksumAt = headBytes - 4
const twoTo32 = 2 ** 32
const idBytes = 64

/** Head of a segment. */
export interface SegmentHead {
  /** Seeds the checksums of its entries: entries left over from an earlier use of the file fail theirs. */
  readonly nonce: number
  readonly firstSeq: number
  /** Absent in segments of the former layout. */
  readonly identity?: SegmentIdentity
}

/** Origin of a segment's entries. An entry is known by run and number, wherever its file lies. */
export interface SegmentIdentity {
  /** One start of a node: numbers within it are given once. */
  readonly run: string
  /** Number of the first entry of the run. */
  readonly runFirst: number
  readonly node: string
  /** Empty while no database has claimed the journal. */
  readonly database: string
  /** Size of the file: a shorter one was cut. */
  readonly size: number
}

/** A head as it was found. */
export type FoundHead =
  | { readonly kind: 'head'; readonly head: SegmentHead; readonly isDamaged: boolean }
  /** The file never held a segment, or was blanked. */
  | { readonly kind: 'blank' }
  /** There was one: neither it nor its copy can be read. */
  | { readonly kind: 'unreadable' }

/** Returns the offset of a segment's first entry. */
export function entriesStart({ identity }: SegmentHead): number {
  return identity === undefined ? formerHeadBytes : headBytes
}

/** Returns the offset in a file at which the room for entries ends. */
export function entriesLimit({ identity }: SegmentHead, fileSize: number): number {
  return identity === undefined ? fileSize : Math.min(fileSize, identity.size - headBytes)
}

/** Writes a head with its copy: whatever befalls one place leaves the other. */
export function writeHead(file: JournalFile, head: Required<SegmentHead>): void {
  const bytes = encodeHead(head)
  file.write(bytes, headBytes, 0)
  file.write(bytes, headBytes, file.size - headBytes)
}

/** Makes a file one that never held a segment. */
export function blankHead(file: JournalFile): void {
  const zeros = Buffer.alloc(headBytes)
  file.write(zeros, headBytes, 0)
  file.write(zeros, headBytes, file.size - headBytes)
}

/** @throws when another version wrote it in a layout of its own: its charges must not be taken for free room */
export function readHead(file: JournalFile): FoundHead {
  const first = readAt(file, 0)
  const head = decodeHead(first)
  if (head !== undefined) return { kind: 'head', head, isDamaged: false }
  const last = readAt(file, file.size - headBytes)
  const copy = decodeHead(last)
  // A copy of the former use may stand behind a later layout's head, which is not damaged.
  refuseUnknownLayout(first)
  if (copy?.identity !== undefined) return { kind: 'head', head: copy, isDamaged: true }
  return isBlank(first) || first.length < formerHeadBytes ? { kind: 'blank' } : { kind: 'unreadable' }
}

function readAt(file: JournalFile, position: number): Buffer {
  if (position < 0) return Buffer.alloc(0)
  const bytes = Buffer.alloc(headBytes)
  return bytes.subarray(0, file.read(bytes, position))
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

function encodeHead({ nonce, firstSeq, identity }: Required<SegmentHead>): Buffer {
  const bytes = Buffer.alloc(headBytes)
  bytes.write(magic + layout, 'latin1')
  bytes.writeUInt32LE(nonce, 8)
  writeNumber(bytes, firstSeq, 12)
  writeNumber(bytes, identity.runFirst, 20)
  bytes.writeUInt32LE(identity.size, 28)
  bytes.write(identity.run, 32, 40, 'utf8')
  bytes.write(identity.node, 72, idBytes, 'utf8')
  bytes.write(identity.database, 136, idBytes, 'utf8')
  bytes.writeUInt32LE(crc32(bytes.subarray(0, checksumAt)), checksumAt)
  return bytes
}

function decodeHead(bytes: Buffer): SegmentHead | undefined {
  const written = bytes.toString('latin1', 0, versionedBytes)
  if (written === magic + layout) return decodeOwn(bytes)
  return written === magic + formerLayout ? decodeFormer(bytes) : undefined
}

function decodeOwn(bytes: Buffer): SegmentHead | undefined {
  if (!hasSum(bytes, checksumAt)) return undefined
  return {
    nonce: bytes.readUInt32LE(8),
    firstSeq: readNumber(bytes, 12),
    identity: {
      runFirst: readNumber(bytes, 20),
      size: bytes.readUInt32LE(28),
      run: readText(bytes, 32, 40),
      node: readText(bytes, 72, idBytes),
      database: readText(bytes, 136, idBytes),
    },
  }
}

function decodeFormer(bytes: Buffer): SegmentHead | undefined {
  if (!hasSum(bytes, formerChecksumAt)) return undefined
  return { nonce: bytes.readUInt32LE(8), firstSeq: readNumber(bytes, 12) }
}

function hasSum(bytes: Buffer, at: number): boolean {
  return bytes.length >= at + 4 && crc32(bytes.subarray(0, at)) === bytes.readUInt32LE(at)
}

function writeNumber(bytes: Buffer, value: number, at: number): void {
  bytes.writeUInt32LE(Math.floor(value / twoTo32), at)
  bytes.writeUInt32LE(value % twoTo32, at + 4)
}

function readNumber(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at) * twoTo32 + bytes.readUInt32LE(at + 4)
}

function readText(bytes: Buffer, at: number, length: number): string {
  const end = bytes.indexOf(0, at)
  return bytes.toString('utf8', at, Math.min(end < 0 ? at + length : end, at + length))
}

/** A version whose digits were damaged is none: with the right ones in their place the checksum holds. */
function refuseUnknownLayout(bytes: Buffer): void {
  if (bytes.length < formerHeadBytes || bytes.toString('latin1', 0, magic.length) !== magic) return
  const written = bytes.toString('latin1', magic.length, versionedBytes)
  if (written === layout || written === formerLayout || isOwnWithOtherDigits(bytes)) return
  throw new Error(
    `another version of Tollgate wrote it (layout ${JSON.stringify(written)}, this one knows "${layout}"). Start that version, stop it in good order so that the database has everything, and then move the folder away`,
  )
}

function isOwnWithOtherDigits(bytes: Buffer): boolean {
  const mended = Buffer.from(bytes)
  return [layout, formerLayout].some((digits) => {
    mended.write(digits, magic.length, 'latin1')
    return decodeHead(mended) !== undefined
  })
}
