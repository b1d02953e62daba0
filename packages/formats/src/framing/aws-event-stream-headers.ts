import { decodeUtf8 } from '../utf8.ts'

/** `bigint` for 64-bit integers and timestamps (milliseconds since 1970), bytes for byte arrays and UUIDs. */
export type EventStreamHeaderValue = boolean | number | bigint | string | Uint8Array
export type EventStreamHeaders = ReadonlyMap<string, EventStreamHeaderValue>

/** Reads the headers of an AWS event stream frame; `undefined` when the bytes are none. */
export function readEventStreamHeaders(
  bytes: Uint8Array,
  start: number,
  end: number,
): EventStreamHeaders | undefined {
  const headers = new Map<string, EventStreamHeaderValue>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, end)
  let at = start
  while (at < end) {
    const nameEnd = at + 1 + (bytes[at] ?? 0)
    const kind = nameEnd < end ? kinds[bytes[nameEnd] ?? -1] : undefined
    if (kind === undefined) return undefined
    const from = nameEnd + 1
    const to = from + valueSize(kind, view, from)
    if (to > end) return undefined
    headers.set(decodeUtf8(bytes.subarray(at + 1, nameEnd)), kind.read(view, bytes, from, to))
    at = to
  }
  return headers
}

/** How a value of one type is laid out. */
interface Kind {
  /** In bytes; `prefixed` when two bytes before the value say it. */
  readonly size: number | 'prefixed'
  read(view: DataView, bytes: Uint8Array, from: number, to: number): EventStreamHeaderValue
}

const long: Kind = { size: 8, read: (view, _, from) => view.getBigInt64(from) }

/** By the number that stands for the type. */
const kinds: readonly Kind[] = [
  { size: 0, read: () => true },
  { size: 0, read: () => false },
  { size: 1, read: (view, _, from) => view.getInt8(from) },
  { size: 2, read: (view, _, from) => view.getInt16(from) },
  { size: 4, read: (view, _, from) => view.getInt32(from) },
  long,
  { size: 'prefixed', read: (_, bytes, from, to) => bytes.slice(from + 2, to) },
  { size: 'prefixed', read: (_, bytes, from, to) => decodeUtf8(bytes.subarray(from + 2, to)) },
  long,
  { size: 16, read: (_, bytes, from, to) => bytes.slice(from, to) },
]

/** Bytes of the value, its length prefix included; endless when even the prefix is cut off. */
function valueSize({ size }: Kind, view: DataView, from: number): number {
  if (size !== 'prefixed') return size
  return from + 2 > view.byteLength ? Number.POSITIVE_INFINITY : 2 + view.getUint16(from)
}
