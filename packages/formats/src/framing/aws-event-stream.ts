import type { Frame } from '../canonical/codec.ts'
import { decodeBase64, decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { objectOf, parseJson, textOf } from '../json/value.ts'
import { eventObject, expectMembers } from './event-shape.ts'
import {
  type FrameScanner,
  FrameTooLargeError,
  MalformedFrameError,
  PartialFrame,
  type ScannedFrame,
} from './frame.ts'

const table = new Uint32Array(256).map((_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 (IEEE 802.3) of the bytes from `start` to `end`, as an unsigned number. */
export function crc32(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffffffff
  for (let at = start; at < end; at++) crc = (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** `bigint` for 64-bit integers and timestamps (milliseconds since 1970), bytes for byte arrays and UUIDs. */
type EventStreamHeaderValue = boolean | number | bigint | string | Uint8Array
type EventStreamHeaders = ReadonlyMap<string, EventStreamHeaderValue>

/** Reads the headers of an AWS event stream frame; `undefined` when the bytes are not headers. */
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

/** Layout of a value of one type. */
interface Kind {
  /** Size in bytes; `prefixed` when two bytes before the value say it. */
  readonly size: number | 'prefixed'
  read(view: DataView, bytes: Uint8Array, from: number, to: number): EventStreamHeaderValue
}

const long: Kind = { size: 8, read: (view, _, from) => view.getBigInt64(from) }

/** Layouts by the number of the type. */
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

/** Total length, length of the headers, and the checksum of these two. */
const preludeBytes = 12
const checksumBytes = 4

/**
 * Cuts `application/vnd.amazon.eventstream` into frames: a prelude, headers, a payload, each guarded by CRC-32; all
 * numbers are big-endian. Exceptions and errors are frames with `fault`.
 * https://smithy.io/2.0/aws/amazon-eventstream.html
 */
export class AwsEventStreamScanner implements FrameScanner {
  readonly #maxFrameBytes: number
  readonly #partial: PartialFrame

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
    this.#partial = new PartialFrame(maxFrameBytes)
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    const bytes = this.#partial.with(chunk)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const frames: ScannedFrame[] = []
    let start = 0
    while (bytes.length - start >= preludeBytes) {
      const end = start + this.#checkedLength(bytes, view, start)
      if (end > bytes.length) break
      frames.push(readFrame(bytes, view, start, end))
      start = end
    }
    this.#partial.hold(bytes, start)
    return frames
  }

  /** Ends the frames: every one has its length, so what is left over is half a frame, and worth nothing. */
  end(): readonly ScannedFrame[] {
    const { bytes } = this.#partial
    this.#partial.hold(bytes, bytes.length)
    return []
  }

  #checkedLength(bytes: Uint8Array, view: DataView, start: number): number {
    const length = view.getUint32(start)
    if (view.getUint32(start + 8) !== crc32(bytes, start, start + 8)) throw malformed('its prelude')
    if (length > this.#maxFrameBytes) throw new FrameTooLargeError(this.#maxFrameBytes)
    if (view.getUint32(start + 4) + preludeBytes + checksumBytes > length) throw malformed('its lengths')
    return length
  }
}

function readFrame(bytes: Uint8Array, view: DataView, start: number, end: number): ScannedFrame {
  const payloadEnd = end - checksumBytes
  if (view.getUint32(payloadEnd) !== crc32(bytes, start, payloadEnd)) throw malformed('its checksum')
  const headersEnd = start + preludeBytes + view.getUint32(start + 4)
  const headers = readEventStreamHeaders(bytes, start + preludeBytes, headersEnd)
  if (headers === undefined) throw malformed('its headers')
  const position = { bytes, start, end, data: bytes.subarray(headersEnd, payloadEnd) }
  switch (text(headers, ':message-type')) {
    case 'exception':
      return { ...position, event: text(headers, ':exception-type'), fault: true }
    case 'error':
      return { ...position, ...unmodeledError(headers), fault: true }
    default:
      return { ...position, event: text(headers, ':event-type') }
  }
}

/** Reads an error without a payload: its code and message are headers. */
function unmodeledError(headers: EventStreamHeaders): Pick<ScannedFrame, 'event' | 'data'> {
  const message = text(headers, ':error-message')
  return { event: text(headers, ':error-code'), data: encodeUtf8(JSON.stringify({ message })) }
}

function text(headers: EventStreamHeaders, name: string): string {
  const value = headers.get(name)
  return typeof value === 'string' ? value : ''
}

function malformed(what: string): MalformedFrameError {
  return new MalformedFrameError(`the upstream sent an event stream frame of which ${what} cannot be right`)
}

/**
 * The event inside an event of Bedrock's invoke stream: `{"bytes": <its JSON as base64>}`, named by its `type`.
 * `undefined` for an event that holds none.
 * @throws MalformedFrameError
 */
export function unwrapBedrockEvent({ data }: Frame): Frame | undefined {
  const outer = eventObject(data)
  expectMembers(outer, { bytes: 'text' })
  const json = decodeBase64(textOf(outer.bytes))
  if (json === undefined) throw new MalformedFrameError('the upstream sent an event that is no base64')
  if (json === '') return undefined
  return { event: textOf(objectOf(parseJson(json)).type), data: json }
}
