import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { type FrameScanner, FrameTooLargeError, PartialFrame, type ScannedFrame } from './frame.ts'

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a
const space = 0x20
const dataField = [0x64, 0x61, 0x74, 0x61] as const
const eventField = [0x65, 0x76, 0x65, 0x6e, 0x74] as const

/**
 * Cuts a byte stream into server-sent events without copying complete events, by the rules of the HTML standard:
 * lines end with LF, CRLF or CR, several `data:` lines make one payload, comments and unknown fields carry none.
 * Chunks may end anywhere, inside a UTF-8 sequence too; the frames are the same for every split.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class SseScanner implements FrameScanner {
  readonly #maxFrameBytes: number
  readonly #partial: PartialFrame
  /** Within the open frame: ends of its lines so far, as pairs of start and end. */
  #lines: number[] = []
  /** Within the open frame: start of the open line, and how far it has been searched for its end. */
  #lineStart = 0
  #searched = 0

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
    this.#partial = new PartialFrame(maxFrameBytes)
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    return this.#scan(this.#partial.with(chunk), false)
  }

  /** The last frame, when the bytes ended without its blank line. */
  end(): readonly ScannedFrame[] {
    return this.#scan(this.#partial.bytes, true)
  }

  #scan(bytes: Uint8Array, ended: boolean): ScannedFrame[] {
    const frames: ScannedFrame[] = []
    const ends = new LineEnds(bytes, this.#searched, ended)
    let frameStart = 0
    let lineStart = this.#lineStart
    while (ends.find()) {
      if (ends.at > lineStart) this.#lines.push(lineStart - frameStart, ends.at - frameStart)
      else {
        frames.push(this.#frame(bytes, frameStart, ends.next))
        frameStart = ends.next
      }
      lineStart = ends.next
    }
    if (ended && frameStart < bytes.length) {
      if (lineStart < bytes.length) this.#lines.push(lineStart - frameStart, bytes.length - frameStart)
      frames.push(this.#frame(bytes, frameStart, bytes.length))
      frameStart = lineStart = bytes.length
    }
    this.#lineStart = lineStart - frameStart
    this.#searched = ends.searched - frameStart
    this.#partial.hold(bytes, frameStart)
    return frames
  }

  #frame(bytes: Uint8Array, start: number, end: number): ScannedFrame {
    if (end - start > this.#maxFrameBytes) throw new FrameTooLargeError(this.#maxFrameBytes)
    const frame = readFrame(bytes, start, end, this.#lines)
    this.#lines.length = 0
    return frame
  }
}

/** Finds the ends of lines one by one. A stream without any CR, which is nearly every stream, costs one search each. */
class LineEnds {
  readonly #bytes: Uint8Array
  readonly #ended: boolean
  #nextLf: number
  #nextCr: number
  /** End of the line found, and start of the next one. */
  at = -1
  next = -1
  /** Up to where there is certainly no further end. */
  searched: number

  constructor(bytes: Uint8Array, from: number, ended: boolean) {
    this.#bytes = bytes
    this.#ended = ended
    this.#nextLf = bytes.indexOf(lf, from)
    this.#nextCr = bytes.indexOf(cr, from)
    this.searched = bytes.length
  }

  find(): boolean {
    const atCr = this.#nextCr >= 0 && (this.#nextLf < 0 || this.#nextCr < this.#nextLf)
    this.at = atCr ? this.#nextCr : this.#nextLf
    if (this.at < 0) return false
    if (atCr && this.at + 1 === this.#bytes.length && !this.#ended) {
      this.searched = this.at // The LF of a CRLF may be in the next chunk.
      return false
    }
    this.next = this.at + (atCr && this.#nextLf === this.at + 1 ? 2 : 1)
    this.#nextLf = this.#after(this.#nextLf, lf)
    this.#nextCr = this.#after(this.#nextCr, cr)
    return true
  }

  #after(known: number, code: number): number {
    return known >= 0 && known < this.next ? this.#bytes.indexOf(code, this.next) : known
  }
}

function readFrame(bytes: Uint8Array, start: number, end: number, lines: readonly number[]): ScannedFrame {
  const payload: Uint8Array[] = []
  let event = ''
  for (let position = 0; position < lines.length; position += 2) {
    const from = skipByteOrderMark(bytes, start + (lines[position] ?? 0))
    const to = start + (lines[position + 1] ?? 0)
    if (hasField(bytes, from, to, dataField)) payload.push(fieldValue(bytes, from + dataField.length, to))
    else if (hasField(bytes, from, to, eventField)) {
      event = decodeUtf8(fieldValue(bytes, from + eventField.length, to))
    }
  }
  return { bytes, start, end, data: payload.length > 1 ? joinLines(payload) : payload[0], event }
}

function hasField(bytes: Uint8Array, from: number, to: number, name: readonly number[]): boolean {
  if (to - from < name.length) return false
  for (let position = 0; position < name.length; position++)
    if (bytes[from + position] !== name[position]) return false
  return to - from === name.length || bytes[from + name.length] === colon
}

/** Returns the value of a field. One space behind the colon belongs to the syntax; a field without a colon is empty. */
function fieldValue(bytes: Uint8Array, afterName: number, to: number): Uint8Array {
  const from = bytes[afterName + 1] === space ? afterName + 2 : afterName + 1
  return bytes.subarray(Math.min(from, to), to)
}

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(lines.reduce((length, line) => length + line.length + 1, -1)).fill(lf)
  let at = 0
  for (const line of lines) {
    joined.set(line, at)
    at += line.length + 1
  }
  return joined
}

function skipByteOrderMark(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf ? at + 3 : at
}

/**
 * Server-sent events of a vendor that says more in them than the standard has fields for: the payload is a JSON object of
 * all fields of the event, by their names. Nothing behind a colon is taken away, and lines of one field are joined.
 */
export class SseFieldScanner implements FrameScanner {
  readonly #events: SseScanner

  constructor(maxFrameBytes: number) {
    this.#events = new SseScanner(maxFrameBytes)
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    return this.#events.push(chunk).map(withFields)
  }

  end(): readonly ScannedFrame[] {
    return this.#events.end().map(withFields)
  }
}

function withFields(frame: ScannedFrame): ScannedFrame {
  const fields = fieldsIn(decodeUtf8(frame.bytes.subarray(frame.start, frame.end)))
  const data = Object.keys(fields).length === 0 ? undefined : encodeUtf8(JSON.stringify(fields))
  return { ...frame, data, event: (fields.event ?? '').trim() }
}

function fieldsIn(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':')
    // Comments begin with the colon; a line without one has nothing to say.
    if (colon <= 0) continue
    const name = line.slice(0, colon).replace(/^\uFEFF/, '')
    const value = line.slice(colon + 1)
    const known = fields[name]
    fields[name] = known === undefined ? value : `${known}\n${value}`
  }
  return fields
}
