import { crc32 } from 'node:zlib'
import type { Settlement } from '../../store/store.ts'
import { decodeSettlement, encodeSettlement } from './settlement-text.ts'

/** What an entry may take in a segment, header included: room is reckoned in entries of this size. */
export const maxEntryBytes = 4096
/** Length of the payload, checksum, sequence number in two halves. */
const entryHeaderBytes = 16
export const maxPayloadBytes = maxEntryBytes - entryHeaderBytes

const checksummedFrom = 8
const twoTo32 = 2 ** 32

/** Puts entries into bytes, one at a time, in a buffer of its own: nothing is allocated per call. */
export interface EntryWriter {
  /** Puts the payload in its place; false when the entry would be over the bound. */
  draft(settlement: Settlement): boolean
  /** Bytes of the entry drafted last. */
  readonly length: number
  /** Completes the entry drafted last. Apart from drafting, for its segment is chosen by its length. */
  seal(seq: number, nonce: number): Uint8Array
}

export function createEntryWriter(): EntryWriter {
  // UTF-8 takes at most three bytes per unit of a JavaScript string: a text of the largest size always fits.
  const buffer = Buffer.alloc(entryHeaderBytes + maxPayloadBytes * 3)
  let length = 0
  return {
    draft(settlement) {
      const text = encodeSettlement(settlement)
      if (text.length > maxPayloadBytes) return false
      length = entryHeaderBytes + buffer.write(text, entryHeaderBytes, 'utf8')
      return length <= maxEntryBytes
    },
    get length() {
      return length
    },
    seal(seq, nonce) {
      buffer.writeUInt32LE(length - entryHeaderBytes, 0)
      buffer.writeUInt32LE(Math.floor(seq / twoTo32), 8)
      buffer.writeUInt32LE(seq % twoTo32, 12)
      buffer.writeUInt32LE(crc32(buffer.subarray(checksummedFrom, length), nonce), 4)
      return buffer
    },
  }
}

/** Whether this payload keeps the bound. */
export function keepsBound(settlement: Settlement): boolean {
  return Buffer.byteLength(encodeSettlement(settlement)) <= maxPayloadBytes
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

/** The settlement of an entry that `entryLengthAt` found. */
export function settlementAt(bytes: Buffer, offset: number, length: number): Settlement {
  return decodeSettlement(bytes.toString('utf8', offset + entryHeaderBytes, offset + length))
}
