import { OutputBuffer } from '../wire/output-buffer.ts'
import { type HttpRequest, isStreamed, type RequestBody, type StreamedRequestBody } from './http-message.ts'

interface Listener {
  finished(): void
  failed(error: Error): void
}

/** Pulls a body out of its source, one piece at a time, each after the socket has taken the one before. */
class StreamedBodyWriter {
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

  /** Stops reading the source and closes it. */
  stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    // The request is over: an error of the closing source no longer matters.
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

/** Methods whose requests have a length even without a body (RFC 9110 §8.6). */
const bodyMethods = new Set(['POST', 'PUT', 'PATCH'])

const longText = 256 * 1024

/** Part of a request that the socket has taken. */
export type SentPart = 'nothing' | 'part' | 'whole'

/** Writes the requests of one connection, one after the other. */
export class RequestWriter {
  readonly #output: OutputBuffer
  #stream: StreamedBodyWriter | undefined
  /** Bytes that the socket had taken before the present request. */
  #takenBefore = 0

  constructor(socket: Pick<Bun.Socket, 'write'>) {
    this.#output = new OutputBuffer(socket)
  }

  /** The socket has taken the complete request. */
  get isFinished(): boolean {
    return this.#output.isFlushed && this.#stream === undefined
  }

  /** Part of the current request that the socket has taken. With `nothing`, the server cannot have read any of it. */
  get sent(): SentPart {
    if (this.#output.takenBytes === this.#takenBefore) return 'nothing'
    return this.isFinished ? 'whole' : 'part'
  }

  /**
   * Writes as much as the socket takes; `flush` goes on.
   * @param failed called when a streamed body fails or its length differs from the announced one
   */
  write({ target, method, body }: HttpRequest, failed: (error: Error) => void): void {
    this.#takenBefore = this.#output.takenBytes
    const start = method + target.head
    if (typeof body === 'string') this.#writeText(start, body)
    else if (isStreamed(body)) this.#writeStream(start, body, failed)
    else this.#writeBytes(start, method, body)
  }

  /** The socket takes more. */
  flush(): void {
    if (!this.#output.isFlushed && !this.#output.flush()) return
    this.#stream?.writable()
  }

  /** The rest of the request is not sent. */
  stop(): void {
    this.#stream?.stop()
    this.#stream = undefined
  }

  #writeText(start: string, body: string): void {
    // Put behind its head, a long text would be copied once more.
    if (body.length > longText) {
      this.#writeBytes(start, 'POST', Buffer.from(body))
      return
    }
    const bodyBytes = Buffer.byteLength(body)
    const text = `${start}content-length: ${bodyBytes}\r\n\r\n${body}`
    this.#output.writeUtf8(text, text.length - body.length + bodyBytes)
  }

  #writeBytes(start: string, method: string, body: Uint8Array | readonly Uint8Array[] | undefined): void {
    const pieces = body instanceof Uint8Array ? [body] : (body ?? [])
    let size = 0
    for (const piece of pieces) size += piece.length
    const hasLength = body !== undefined || bodyMethods.has(method)
    this.#output.write(`${start}${hasLength ? `content-length: ${size}\r\n` : ''}\r\n`, pieces, '')
  }

  #writeStream(
    start: string,
    body: Extract<RequestBody, { source: unknown }>,
    failed: (error: Error) => void,
  ): void {
    const { length } = body
    const framing = length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`
    this.#output.write(`${start}${framing}\r\n\r\n`, [], '')
    this.#stream = new StreamedBodyWriter(body, this.#output, {
      finished: () => {
        this.#stream = undefined
      },
      failed,
    })
    if (this.#output.isFlushed) this.#stream.writable()
  }
}
