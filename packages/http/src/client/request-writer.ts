import { OutputBuffer } from '../wire/output-buffer.ts'
import { type HttpRequest, isStreamed, type RequestBody } from './http-request.ts'
import { StreamedBodyWriter } from './streamed-body-writer.ts'

/** Methods whose requests have a length even without a body (RFC 9110 §8.6). */
const bodyMethods = new Set(['POST', 'PUT', 'PATCH'])

const longText = 256 * 1024

/** How much of a request the socket has taken. */
export type SentPart = 'nothing' | 'part' | 'whole'

/** Writes the requests of one connection, one after the other. */
export class RequestWriter {
  readonly #output: OutputBuffer
  #stream: StreamedBodyWriter | undefined
  /** What the socket had taken before the present request. */
  #takenBefore = 0

  constructor(socket: Pick<Bun.Socket, 'write'>) {
    this.#output = new OutputBuffer(socket)
  }

  /** The socket has taken the whole request. */
  get isFinished(): boolean {
    return this.#output.isFlushed && this.#stream === undefined
  }

  /** Of the present request. Of `nothing`, nobody can have read any. */
  get sent(): SentPart {
    if (this.#output.takenBytes === this.#takenBefore) return 'nothing'
    return this.isFinished ? 'whole' : 'part'
  }

  /**
   * Writes as much as the socket takes; `flush` goes on.
   * @param failed told when a streamed body fails or has another length than it said
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
