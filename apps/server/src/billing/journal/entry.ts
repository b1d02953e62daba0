import { crc32 } from 'node:zlib'

/** What an entry may take in a segment, header included: room is reckoned in entries of this size. */
export const maxEntryBytes = 4096
/** Length of the payload, checksum, sequence number in two halves. */
const entryHeaderBytes = 16
export const maxPayloadBytes = maxEntryBytes - entryHeaderBytes

const checksummedFrom = 8
const twoTo32 = 2 ** 32

/** Puts entries into bytes, one behind the other, in a buffer of its own: nothing is allocated per call. */
export interface EntryWriter {
  /** False when the sealed entries must be taken out before another is drafted. */
  readonly hasRoom: boolean
  /** Puts an encoded settlement behind the sealed entries; false when the entry would be over the bound. */
  draft(text: string): boolean
  /** Bytes of the entry drafted last. */
  readonly length: number
  /** Completes the entry drafted last. Apart from drafting, for its segment is chosen by its length. */
  seal(seq: number, nonce: number): void
  /** The sealed entries stand in the first `sealedLength` bytes. */
  readonly bytes: Uint8Array
  readonly sealedLength: number
  /** Forgets the sealed entries, and a draft behind them. */
  clear(): void
}

// UTF-8 takes at most three bytes per unit of a JavaScript string: a text of the largest size always fits.
const draftBytes = entryHeaderBytes + maxPayloadBytes * 3
const writerBytes = 256 * 1024

export function createEntryWriter(): EntryWriter {
  const buffer = Buffer.alloc(writerBytes)
  let sealedLength = 0
  let length = 0
  return {
    get hasRoom() {
      return sealedLength + draftBytes <= writerBytes
    },
    draft(text) {
      if (text.length > maxPayloadBytes) return false
      length = entryHeaderBytes + buffer.write(text, sealedLength + entryHeaderBytes, 'utf8')
      return length <= maxEntryBytes
    },
    get length() {
      return length
    },
    seal(seq, nonce) {
      const start = sealedLength
      sealedLength += length
      buffer.writeUInt32LE(length - entryHeaderBytes, start)
      buffer.writeUInt32LE(Math.floor(seq / twoTo32), start + 8)
      buffer.writeUInt32LE(seq % twoTo32, start + 12)
      buffer.writeUInt32LE(crc32(buffer.subarray(start + checksummedFrom, sealedLength), nonce), start + 4)
    },
    bytes: buffer,
    get sealedLength() {
      return sealedLength
    },
    clear() {
      sealedLength = 0
    },
  }
}

/**
 * Length of the whole entry at `offset` with that sequence number. Torn, stale and absent entries all look the
 * same, which is the end of the segment. The nonce of the segment unmasks entries of its former life.
 */
export function entryLengthAt(bytes: Buffer, offset: number, seq: number, nonce: number): number | undefined {
  if (offset + entryHeaderBytes > bytes.length) return undefined
  const payload = bytes.readUInt32LE(offset)
  const end = offset + entryHeaderBytes + payload
  if (payload === 0 || payload > maxPayloadBytes || end > bytes.length) return undefined
  if (bytes.readUInt32LE(offset + 8) * twoTo32 + bytes.readUInt32LE(offset + 12) !== seq) return undefined
  const sum = crc32(bytes.subarray(offset + checksummedFrom, end), nonce)
  return sum === bytes.readUInt32LE(offset + 4) ? entryHeaderBytes + payload : undefined
}

/** The text of an entry that `entryLengthAt` found. */
export function textAt(bytes: Buffer, offset: number, length: number): string {
  return bytes.toString('utf8', offset + entryHeaderBytes, offset + length)
}
