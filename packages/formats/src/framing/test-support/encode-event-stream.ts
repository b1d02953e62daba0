import { encodeUtf8 } from '../../json/utf8.ts'
import { crc32 } from '../aws-event-stream.ts'

/** A header as its wire type and the bytes of its value, length prefix not included. */
export interface WireHeader {
  readonly name: string
  readonly type: number
  readonly value: Uint8Array
}

const prefixedTypes = new Set([6, 7])

export function textHeader(name: string, value: string): WireHeader {
  return { name, type: 7, value: encodeUtf8(value) }
}

/** One frame of an AWS event stream. */
export function encodeEventStreamFrame(headers: readonly WireHeader[], payload: Uint8Array): Uint8Array {
  const head = joined(headers.map(headerBytes))
  const total = 16 + head.length + payload.length
  const frame = joined([new Uint8Array(12), head, payload, new Uint8Array(4)])
  const view = new DataView(frame.buffer)
  view.setUint32(0, total)
  view.setUint32(4, head.length)
  view.setUint32(8, crc32(frame, 0, 8))
  view.setUint32(total - 4, crc32(frame, 0, total - 4))
  return frame
}

/** A frame as Bedrock sends them: JSON under the name of an event. */
export function encodeEventFrame(eventType: string, payload: unknown): Uint8Array {
  return encodeEventStreamFrame(
    [
      textHeader(':event-type', eventType),
      textHeader(':content-type', 'application/json'),
      textHeader(':message-type', 'event'),
    ],
    encodeUtf8(JSON.stringify(payload)),
  )
}

export function encodeExceptionFrame(exceptionType: string, payload: unknown): Uint8Array {
  return encodeEventStreamFrame(
    [
      textHeader(':exception-type', exceptionType),
      textHeader(':content-type', 'application/json'),
      textHeader(':message-type', 'exception'),
    ],
    encodeUtf8(JSON.stringify(payload)),
  )
}

function headerBytes({ name, type, value }: WireHeader): Uint8Array {
  const label = encodeUtf8(name)
  const prefix = prefixedTypes.has(type) ? [value.length >> 8, value.length & 0xff] : []
  return Uint8Array.of(label.length, ...label, type, ...prefix, ...value)
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
