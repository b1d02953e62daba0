import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  type BodyListener,
  type BodyPiece,
  ConnectionLostError,
  MalformedMessageError,
  readWhole,
  tell,
  type WholeBody,
} from '../wire/body.ts'
import type { HttpAnswer } from './http-answer.ts'

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
export function decodeContent(answer: HttpAnswer, encoding: string, abort: () => void): HttpAnswer {
  return new DecodedAnswer(answer, encoding, abort)
}

async function* piecesOf(answer: HttpAnswer): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await answer.read()
    if (done) return
    yield value
  }
}

class DecodedAnswer implements HttpAnswer {
  readonly #encoded: HttpAnswer
  readonly #encoding: string
  readonly #abort: () => void
  #decoded: AsyncIterator<Uint8Array> | undefined

  constructor(encoded: HttpAnswer, encoding: string, abort: () => void) {
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
    tell(this.read(), listener)
  }

  whole(limit: number): Promise<WholeBody> {
    return readWhole(this, limit, this.#abort)
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
