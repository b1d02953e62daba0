import { type AnswerHead, headersOf } from './answer-head.ts'
import { type BodyPiece, gather, type HttpAnswer, type WholeBody } from './http-answer.ts'

/** Where an answer comes from. */
export interface AnswerSource {
  pause(): void
  resume(): void
  cut(): void
}

/** Unread bytes at which the connection is not read any further: the upstream waits for its reader. */
const highWaterBytes = 256 * 1024
const noBytes = new Uint8Array()
const theEnd: BodyPiece = { done: true }

/** An answer that is fed by its connection. */
export class IncomingAnswer implements HttpAnswer {
  /** Parts of the body that nobody has read yet; the connection's decoder adds to them. */
  readonly pieces: Buffer[] = []
  readonly #head: AnswerHead
  readonly #source: AnswerSource
  #unread = 0
  #isPaused = false
  #isComplete = false
  #error: Error | undefined
  #waiting: { resolve(piece: BodyPiece): void; reject(error: Error): void } | undefined

  constructor(head: AnswerHead, source: AnswerSource) {
    this.#head = head
    this.#source = source
  }

  get status(): number {
    return this.#head.status
  }

  header(name: string): string | null {
    return name === 'content-type' ? this.#head.contentType : (headersOf(this.#head).get(name) ?? null)
  }

  headers(): Record<string, string> {
    return Object.fromEntries(headersOf(this.#head))
  }

  /** The connection has added to `pieces`. */
  arrived(bytes: number): void {
    if (this.#waiting === undefined) {
      this.#unread += bytes
      if (this.#unread > highWaterBytes) this.#pause()
    } else if (this.pieces.length > 0) {
      const { resolve } = this.#waiting
      this.#waiting = undefined
      resolve(this.#take())
    }
  }

  /** The connection has added the last of `pieces`. */
  completed(): void {
    this.#isComplete = true
    if (this.#isPaused) this.#resume()
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(this.pieces.length > 0 ? this.#take() : theEnd)
  }

  failed(error: Error): void {
    this.#error = error
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.reject(error)
  }

  read(): Promise<BodyPiece> {
    if (this.pieces.length > 0) return Promise.resolve(this.#take())
    if (this.#isComplete) return Promise.resolve(theEnd)
    if (this.#error !== undefined) return Promise.reject(this.#error)
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject }
    })
  }

  whole(limit: number): WholeBody | Promise<WholeBody> {
    const { framing } = this.#head
    if (typeof framing === 'number' && framing > limit) {
      this.#cut()
      return undefined
    }
    const [only = noBytes] = this.pieces
    if (this.#isComplete && this.pieces.length <= 1 && only.length <= limit) return only
    return gather(this, limit, () => this.#cut())
  }

  #take(): BodyPiece {
    const { pieces } = this
    const value = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
    pieces.length = 0
    this.#unread = 0
    if (this.#isPaused) this.#resume()
    return { done: false, value }
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#source.pause()
  }

  #resume(): void {
    this.#isPaused = false
    this.#source.resume()
  }

  /** A connection that has delivered everything may be serving another request by now. */
  #cut(): void {
    if (!this.#isComplete) this.#source.cut()
  }
}
