import { encodeUtf8 } from '../utf8.ts'
import { type EventStreamHeaders, readEventStreamHeaders } from './aws-event-stream-headers.ts'
import { crc32 } from './crc32.ts'
import { type FrameScanner, FrameTooLargeError, MalformedFrameError, type ScannedFrame } from './frame.ts'
import { PartialFrame } from './partial-frame.ts'

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

  /** Every frame says its length: what is left over is half a frame, and worth nothing. */
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
  const place = { bytes, start, end, data: bytes.subarray(headersEnd, payloadEnd) }
  switch (text(headers, ':message-type')) {
    case 'exception':
      return { ...place, event: text(headers, ':exception-type'), fault: true }
    case 'error':
      return { ...place, ...unmodeledError(headers), fault: true }
    default:
      return { ...place, event: text(headers, ':event-type') }
  }
}

/** An error has no payload: its code and message are headers. */
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
