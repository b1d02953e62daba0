/** A value as SQLite stores it. */
export type StoredValue = null | number | bigint | string | Uint8Array

/** Text that is not UTF-8 is no text of ours. */
const utf8 = new TextDecoder('utf-8', { fatal: true })
const integerBytes = [0, 1, 2, 3, 4, 6, 8]

/** A variable-length integer with the place behind it. */
interface Varint {
  readonly value: number
  readonly next: number
}

/** Seven bytes of seven bits each fit into a number. */
const shortBytes = 7

/** Reads a variable-length integer; `undefined` where the bytes end. */
export function readVarint(bytes: Buffer, at: number): Varint | undefined {
  let value = 0
  for (let index = 0; index < shortBytes; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return { value, next: at + index + 1 }
  }
  return readLongVarint(bytes, at)
}

/** Reads a varint of eight or nine bytes, the last of which has eight bits. */
function readLongVarint(bytes: Buffer, at: number): Varint | undefined {
  let value = 0n
  for (let index = 0; index < 9; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return undefined
    value = index === 8 ? (value << 8n) | BigInt(byte) : (value << 7n) | BigInt(byte & 0x7f)
    if (index === 8 || byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), next: at + index + 1 }
  }
  return undefined
}

/** The values of a record; `undefined` for bytes that are none. */
export function decodeRecord(bytes: Buffer): StoredValue[] | undefined {
  const head = readVarint(bytes, 0)
  if (head === undefined || head.value < head.next || head.value > bytes.length) return undefined
  const types: number[] = []
  for (let at = head.next; at < head.value; ) {
    const type = readVarint(bytes, at)
    if (type === undefined || type.next > head.value) return undefined
    types.push(type.value)
    at = type.next
  }
  return decodeBody(bytes, head.value, types)
}

function decodeBody(bytes: Buffer, start: number, types: readonly number[]): StoredValue[] | undefined {
  const values: StoredValue[] = []
  let at = start
  for (const type of types) {
    const length = lengthOf(type)
    if (length === undefined || at + length > bytes.length) return undefined
    const value = storedValueOf(type, bytes.subarray(at, at + length))
    if (value === undefined) return undefined
    values.push(value)
    at += length
  }
  // A record fills its payload: one that ends before is something else.
  return at === bytes.length ? values : undefined
}

function lengthOf(type: number): number | undefined {
  if (type < 0 || type === 10 || type === 11) return undefined
  if (type >= 12) return (type - 12 - (type % 2)) / 2
  return type < integerBytes.length ? integerBytes[type] : type === 7 ? 8 : 0
}

function storedValueOf(type: number, bytes: Buffer): StoredValue | undefined {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (type === 7) return bytes.readDoubleBE(0)
  if (type >= 12) return type % 2 === 0 ? bytes : textOf(bytes)
  if (bytes.length <= 6) return bytes.readIntBE(0, bytes.length)
  const value = bytes.readBigInt64BE(0)
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
