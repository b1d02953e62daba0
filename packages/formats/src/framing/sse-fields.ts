import { decodeUtf8, encodeUtf8 } from '../utf8.ts'
import type { FrameScanner, ScannedFrame } from './frame.ts'
import { SseScanner } from './sse.ts'

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
