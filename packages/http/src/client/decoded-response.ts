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
import type { HttpResponse } from './http-response.ts'

/** No zstd: the runtime's takes a body that was cut short for a whole one. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * An answer whose body is encoded although nobody asked for it, read as what it decodes to. Piece by piece: a small
 * body that decodes to an enormous one is never held whole.
 */
export function decodeContent(response: HttpResponse, encoding: string, abort: () => void): HttpResponse {
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
    // What goes wrong on either side ends the other; the reader of the pieces is told.
    pipeline(Readable.from(piecesOf(this.#encoded)), decoder, () => undefined)
    return decoder[Symbol.asyncIterator]()
  }
}
