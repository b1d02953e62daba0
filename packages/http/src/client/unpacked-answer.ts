import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import {
  type BodyListener,
  type BodyPiece,
  ConnectionLostError,
  gather,
  MalformedMessageError,
  tell,
  type WholeBody,
} from '../wire/body.ts'
import type { HttpAnswer } from './http-answer.ts'

/** No zstd: the runtime's takes a body that was cut short for a whole one. */
const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * An answer whose body is packed although nobody asked for it, read as what it unpacks to. Piece by piece: a small
 * body that unpacks to an enormous one is never held whole.
 */
export function unpack(answer: HttpAnswer, encoding: string, cut: () => void): HttpAnswer {
  return new UnpackedAnswer(answer, encoding, cut)
}

async function* piecesOf(answer: HttpAnswer): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { done, value } = await answer.read()
    if (done) return
    yield value
  }
}

class UnpackedAnswer implements HttpAnswer {
  readonly #packed: HttpAnswer
  readonly #encoding: string
  readonly #cut: () => void
  #unpacked: AsyncIterator<Uint8Array> | undefined

  constructor(packed: HttpAnswer, encoding: string, cut: () => void) {
    this.#packed = packed
    this.#encoding = encoding
    this.#cut = cut
  }

  get status(): number {
    return this.#packed.status
  }

  header(name: string): string | null {
    return this.#packed.header(name)
  }

  headers(): Record<string, string> {
    return this.#packed.headers()
  }

  async read(): Promise<BodyPiece> {
    try {
      this.#unpacked ??= this.#open()
      const { done, value } = await this.#unpacked.next()
      return done === true ? { done } : { done: false, value }
    } catch (error) {
      this.#cut()
      if (error instanceof ConnectionLostError || error instanceof MalformedMessageError) throw error
      throw new MalformedMessageError('the answer cannot be unpacked', { cause: error })
    }
  }

  next(taker: BodyListener): void {
    tell(this.read(), taker)
  }

  whole(limit: number): Promise<WholeBody> {
    return gather(this, limit, this.#cut)
  }

  #open(): AsyncIterator<Uint8Array> {
    const create = Object.hasOwn(unpackers, this.#encoding) ? unpackers[this.#encoding] : undefined
    if (create === undefined)
      throw new MalformedMessageError('the answer is packed in a way nobody asked for')
    const unpacker = create()
    // What goes wrong on either side ends the other; the reader of the pieces is told.
    pipeline(Readable.from(piecesOf(this.#packed)), unpacker, () => undefined)
    return unpacker[Symbol.asyncIterator]()
  }
}
