import type { OutputBuffer } from '../wire/output-buffer.ts'
import type { StreamedRequestBody } from './http-request.ts'

interface Listener {
  finished(): void
  failed(error: Error): void
}

/** Pulls a body out of its source, one piece at a time, each after the socket has taken the one before. */
export class StreamedBodyWriter {
  readonly #iterator: AsyncIterator<Uint8Array>
  readonly #length: number | undefined
  readonly #output: OutputBuffer
  readonly #listener: Listener
  #written = 0
  #isPulling = false
  #isOver = false

  constructor({ source, length }: StreamedRequestBody, output: OutputBuffer, listener: Listener) {
    this.#iterator = source[Symbol.asyncIterator]()
    this.#length = length
    this.#output = output
    this.#listener = listener
  }

  /** The socket has taken what was written before. */
  writable(): void {
    if (this.#isPulling || this.#isOver) return
    this.#isPulling = true
    this.#iterator.next().then(this.#pulled, this.#failed)
  }

  /** Nobody wants the rest; the source is closed. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    // Whether the source closes in order is no concern of a request that is over.
    this.#iterator.return?.().catch(() => undefined)
  }

  readonly #pulled = ({ done, value }: IteratorResult<Uint8Array, unknown>): void => {
    this.#isPulling = false
    if (this.#isOver) return
    if (done) {
      this.#end()
      return
    }
    this.#written += value.length
    if (this.#length !== undefined && this.#written > this.#length) {
      this.#failed(new RangeError('the request body is longer than it said'))
      return
    }
    this.#write(value)
    if (this.#output.isFlushed) this.writable()
  }

  readonly #failed = (error: Error): void => {
    if (this.#isOver) return
    this.stop()
    this.#listener.failed(error)
  }

  #write(bytes: Uint8Array): void {
    // A chunk without bytes would end the body.
    if (bytes.length === 0) return
    if (this.#length === undefined) this.#output.write(`${bytes.length.toString(16)}\r\n`, [bytes], '\r\n')
    else this.#output.write('', [bytes], '')
  }

  #end(): void {
    if (this.#length !== undefined && this.#written < this.#length) {
      this.#failed(new RangeError('the request body is shorter than it said'))
      return
    }
    this.#isOver = true
    if (this.#length === undefined) this.#output.write('0\r\n\r\n', [], '')
    this.#listener.finished()
  }
}
