import { SseScanner, type StreamReader, type StreamStep, type Usage } from '@tollgate/formats'
import type { StreamForm } from './dialect.ts'

/** White space between two elements of a JSON list says nothing. */
export const arrayForm: StreamForm = { contentType: 'application/json; charset=utf-8', ping: '\n' }

/** The events were made by us, or have passed a scanner of their own limit. */
const unlimited = Number.MAX_SAFE_INTEGER

/** Writes the events of a stream as the elements of one JSON list: Gemini's form of a stream without `alt=sse`. */
export class ArrayStream implements StreamReader {
  readonly #events: StreamReader
  readonly #scanner = new SseScanner(unlimited)
  #opened = false

  constructor(events: StreamReader) {
    this.#events = events
  }

  get phase() {
    return this.#events.phase
  }

  get outcome() {
    return this.#events.outcome
  }

  get usage() {
    return this.#events.usage
  }

  get latestUsage() {
    return this.#events.latestUsage
  }

  get deliveredSize() {
    return this.#events.deliveredSize
  }

  delivered() {
    return this.#events.delivered()
  }

  push(chunk: Uint8Array): StreamStep {
    return this.#rewritten(this.#events.push(chunk))
  }

  end(): StreamStep {
    return this.#rewritten(this.#events.end())
  }

  trailer(charged: Usage | undefined): string {
    return `${this.elements(this.#events.trailer(charged))}${this.#opened ? '' : '['}]`
  }

  /** Events as elements that follow those before them. */
  elements(events: string): string {
    return this.#elementsOf(Buffer.from(events))
  }

  #rewritten(step: StreamStep): StreamStep {
    const text = step.forward.map((piece) => this.#elementsOf(piece)).join('')
    return { ...step, forward: text === '' ? [] : [Buffer.from(text)] }
  }

  #elementsOf(bytes: Uint8Array): string {
    let text = ''
    for (const { data } of this.#scanner.push(bytes)) {
      if (data === undefined || data.length === 0) continue
      text += (this.#opened ? ',\r\n' : '[') + Buffer.from(data).toString()
      this.#opened = true
    }
    return text
  }
}
