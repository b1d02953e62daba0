import { crc32 } from 'node:zlib'
import {
  encodePayload,
  entryChecksumAt,
  entryEndAt,
  entryHeaderBytes,
  entrySeqAt,
  entryStartsIn,
  payloadLengthAt,
  type SettledCall,
  writeEntryHeader,
} from '../../store/settlement.ts'
import { maxPayloadBytes, truncateCall } from './truncate-call.ts'

/** Size that an entry may take in a segment, header included: room is counted in entries of this size. */
export const maxEntryBytes = maxPayloadBytes + entryHeaderBytes

/** Offset of what the checksum of an entry covers. */
export const checksummedFrom = entryChecksumAt + 4

/** An entry on its own. */
export interface JournalEntry {
  readonly seq: number
  /** The start of the node that gave the number; absent in segments of the former layout. */
  readonly run?: string
  /** All of it (../../store/settlement.ts). */
  readonly bytes: Uint8Array
}

/** An entry where it was encoded; there until the next one is. */
export interface EncodedEntry {
  readonly seq: number
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

// UTF-8 takes at most three bytes per unit of a JavaScript string: a text of the largest size always fits.
const draftBytes = entryHeaderBytes + maxPayloadBytes * 3
const writerBytes = 256 * 1024

/**
 * Puts entries into bytes, one behind the other, in a buffer of its own: nothing is allocated per call. An entry is
 * drafted first and sealed when its segment is known, which is chosen by its length.
 */
export class EntryWriter implements EncodedEntry {
  readonly bytes = Buffer.alloc(writerBytes)
  seq = 0
  /** Offset of the entry that was drafted last. */
  start = 0
  end = 0
  /** The sealed entries stand in the first `sealedLength` bytes. */
  sealedLength = 0
  sealedCount = 0

  /** False when the sealed entries must be taken out before another is drafted. */
  get hasRoom(): boolean {
    return this.sealedLength + draftBytes <= writerBytes
  }

  /** Bytes of the entry drafted last. */
  get length(): number {
    return this.end - this.start
  }

  /** Encodes a call behind the sealed entries; what is over the bound is cut. */
  draft(seq: number, call: SettledCall): void {
    const length = this.#write(call)
    const fitting = length > maxPayloadBytes ? this.#write(truncateCall(call)) : length
    writeEntryHeader(this.bytes, this.sealedLength, fitting, seq)
    this.#drafted(seq, entryHeaderBytes + fitting)
  }

  /** Drafts an entry that was encoded before. */
  draftAgain({ seq, bytes }: JournalEntry): void {
    this.bytes.set(bytes, this.sealedLength)
    this.#drafted(seq, bytes.length)
  }

  /** Completes the entry drafted last. */
  seal(nonce: number): void {
    const { bytes, start, end } = this
    bytes.writeUInt32LE(crc32(bytes.subarray(start + checksummedFrom, end), nonce), start + entryChecksumAt)
    this.sealedLength = end
    this.sealedCount += 1
  }

  /** A copy of the entry drafted last. */
  copyDraft(): JournalEntry {
    return entryOf(this.bytes, this.start)
  }

  /** Copies of the sealed entries. */
  copySealed(): JournalEntry[] {
    const sealed = this.bytes.subarray(0, this.sealedLength)
    return Array.from(entryStartsIn(sealed), (start) => entryOf(sealed, start))
  }

  /** Forgets the sealed entries; a draft behind them moves to the front. */
  clear(): void {
    if (this.start === this.sealedLength) {
      this.bytes.copyWithin(0, this.start, this.end)
      this.end -= this.start
      this.start = 0
    }
    this.sealedLength = 0
    this.sealedCount = 0
  }

  /** Returns the length of the payload, which may be over the bound. */
  #write(call: SettledCall): number {
    const payload = encodePayload(call)
    if (payload.length > maxPayloadBytes) return payload.length
    return this.bytes.write(payload, this.sealedLength + entryHeaderBytes, 'utf8')
  }

  #drafted(seq: number, length: number): void {
    this.seq = seq
    this.start = this.sealedLength
    this.end = this.start + length
  }
}

function entryOf(bytes: Buffer, start: number): JournalEntry {
  return {
    seq: entrySeqAt(bytes, start),
    bytes: Uint8Array.prototype.slice.call(bytes, start, entryEndAt(bytes, start)),
  }
}

/**
 * The entry at `offset` with that number; `undefined` for one that is torn, damaged, stale or absent. An entry left over from an earlier use of the file fails its checksum, which the nonce seeds.
 */
export function readEntryAt(
  bytes: Buffer,
  offset: number,
  seq: number,
  nonce: number,
): JournalEntry | undefined {
  if (offset + entryHeaderBytes > bytes.length) return undefined
  const payload = payloadLengthAt(bytes, offset)
  const end = offset + entryHeaderBytes + payload
  if (payload === 0 || payload > maxPayloadBytes || end > bytes.length) return undefined
  if (entrySeqAt(bytes, offset) !== seq) return undefined
  const sum = crc32(bytes.subarray(offset + checksummedFrom, end), nonce)
  return sum === bytes.readUInt32LE(offset + entryChecksumAt) ? entryOf(bytes, offset) : undefined
}
