import type { TextFrame } from '../canonical/codec.ts'

/** Writes frames in the framing that a caller reads. */
export interface FrameWriter {
  /** @param isOneLine the payload is JSON of our own, in which no line ends: it is not looked through */
  write(frame: TextFrame, isOneLine?: boolean): string
  /** Returns the text that closes the stream. */
  end(): string
}

const lineEnd = /\r\n|\n|\r/

/** Server-sent events: an `event:` line where there is a name, a `data:` line for each line of the payload. */
export const sseWriter: FrameWriter = {
  write({ event, data }, isOneLine = false) {
    const isNamed = event !== undefined && event !== ''
    if (isOneLine || !(data.includes('\n') || data.includes('\r')))
      return isNamed ? `event: ${event}\ndata: ${data}\n\n` : `data: ${data}\n\n`
    const lines = data.split(lineEnd).map((line) => `data: ${line}\n`)
    return `${isNamed ? `event: ${event}\n` : ''}${lines.join('')}\n`
  },
  end: () => '',
}

/** One JSON list that grows by an element per frame: what Gemini sends to callers who did not ask for events. */
export class JsonArrayWriter implements FrameWriter {
  #isEmpty: boolean

  /** @param started elements of the list were written by another before */
  constructor(started = false) {
    this.#isEmpty = !started
  }

  write({ data }: TextFrame): string {
    const before = this.#isEmpty ? '[' : ',\r\n'
    this.#isEmpty = false
    return `${before}${data}`
  }

  end(): string {
    return this.#isEmpty ? '[]' : ']'
  }
}
