import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  type BodyListener,
  type BodyPiece,
  type BufferedBody,
  ConnectionLostError,
  MalformedMessageError,
  notify,
  readBuffered,
} from '../wire/body.ts'
import type { PendingConnect } from './connect.ts'
import type { Connection, WaitingRequest } from './connection.ts'
import { type HttpExchange, type HttpRequest, type HttpResponse, isSafe, isStreamed } from './http-message.ts'
import type { Origin } from './origin.ts'
import type { SentPart } from './request-writer.ts'
import type { IncomingResponse, ResponseHead } from './response-head.ts'

/** No zstd: the runtime's decoder accepts a truncated body as complete. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Decodes a response that the server encoded unasked. It decodes piece by piece: a small body that expands to an enormous
 * one never lies in memory as a whole.
 */
function decodeContent(response: HttpResponse, encoding: string, abort: () => void): HttpResponse {
  return new DecodedResponse(response, encoding, abort)
}

async function* piecesOf(response: HttpResponse): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await response.read()
    if (done) return
    yield value
  }
}

class DecodedResponse implements HttpResponse {
  readonly #encoded: HttpResponse
  readonly #encoding: string
  readonly #abort: () => void
  #decoded: AsyncIterator<Uint8Array> | undefined

  constructor(encoded: HttpResponse, encoding: string, abort: () => void) {
    this.#encoded = encoded
    this.#encoding = encoding
    this.#abort = abort
  }

  get status(): number {
    return this.#encoded.status
  }

  header(name: string): string | null {
    return this.#encoded.header(name)
  }

  headers(): Record<string, string> {
    return this.#encoded.headers()
  }

  async read(): Promise<BodyPiece> {
    try {
      this.#decoded ??= this.#open()
      const { done, value } = await this.#decoded.next()
      return done === true ? { done } : { done: false, value }
    } catch (error) {
      this.#abort()
      if (error instanceof ConnectionLostError || error instanceof MalformedMessageError) throw error
      throw new MalformedMessageError('the answer cannot be decoded', { cause: error })
    }
  }

  next(listener: BodyListener): void {
    notify(this.read(), listener)
  }

  buffered(limit: number): Promise<BufferedBody> {
    return readBuffered(this, limit, this.#abort)
  }

  #open(): AsyncIterator<Uint8Array> {
    const create = Object.hasOwn(decoders, this.#encoding) ? decoders[this.#encoding] : undefined
    if (create === undefined)
      throw new MalformedMessageError('the answer is encoded in a way nobody asked for')
    const decoder = create()
    // An error on either side ends the other; the reader of the pieces receives it.
    pipeline(Readable.from(piecesOf(this.#encoded)), decoder, () => undefined)
    return decoder[Symbol.asyncIterator]()
  }
}

/** One request on its way: over a kept connection where there is one, else over a new one. */
export class PendingExchange implements HttpExchange, WaitingRequest {
  readonly response: Promise<HttpResponse>
  readonly request: HttpRequest
  readonly #origin: Origin
  readonly #resolve: (response: HttpResponse) => void
  readonly #reject: (error: unknown) => void
  #connecting: PendingConnect | undefined
  #connection: Connection | undefined
  #wasSent = false

  constructor(request: HttpRequest, origin: Origin) {
    this.request = request
    this.#origin = origin
    const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>()
    this.response = promise
    this.#resolve = resolve
    this.#reject = reject
    const idle = origin.takeIdle()
    if (idle === undefined) this.#connect()
    else this.#sendOver(idle)
  }

  get isSent(): boolean {
    return this.#wasSent || this.#connection?.sentOf(this) === 'whole'
  }

  responded(response: IncomingResponse, { encoding, framing }: ResponseHead): void {
    this.#wasSent = true
    const isEncoded = encoding !== undefined && framing !== 0
    this.#resolve(isEncoded ? decodeContent(response, encoding, () => this.abort()) : response)
  }

  failed(error: Error, sent: SentPart): void {
    this.#wasSent = sent === 'whole'
    this.#reject(error)
  }

  foundStale(error: Error, sent: SentPart): void {
    const { method, body } = this.request
    // A request that was sent may have been carried out, by a server that closed before it answered.
    if (sent === 'nothing' ? !isStreamed(body) : isSafe(method) && !isStreamed(body)) this.#connect()
    else this.failed(error, sent)
  }

  abort(): void {
    this.#connecting?.cancel()
    this.#connection?.abort(this)
    this.#reject(new ConnectionLostError('the exchange was aborted'))
  }

  #connect(): void {
    this.#connection = undefined
    try {
      this.#connecting = this.#origin.connect()
    } catch (error) {
      this.#reject(error)
      return
    }
    this.#connecting.connection.then((connection) => this.#sendOver(connection), this.#reject)
  }

  #sendOver(connection: Connection): void {
    this.#connecting = undefined
    this.#connection = connection
    connection.send(this)
  }
}
