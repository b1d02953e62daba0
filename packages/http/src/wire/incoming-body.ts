import {
  type BodyFraming,
  type BodyListener,
  type BodyPiece,
  type BufferedBody,
  type ReadableBody,
  readBuffered,
} from './body.ts'
import { SizedBody } from './sized-body.ts'

/** The connection that a body comes by. */
export interface BodySource {
  pause(): void
  resume(): void
  /** The reader does not want the rest. */
  destroy(): void
}

/** Unread bytes at which the connection stops reading: the sender waits for the reader. */
const highWaterBytes = 256 * 1024
const noBytes = new Uint8Array()

/** A body that its connection fills. */
export class IncomingBody implements ReadableBody {
  /** Unread parts of the body; the connection's decoder adds to them. */
  readonly pieces: Buffer[] = []
  readonly #framing: BodyFraming
  readonly #source: BodySource
  #unread = 0
  #isPaused = false
  #isComplete = false
  #error: Error | undefined
  #listener: BodyListener | undefined
  #sized: SizedBody | undefined

  constructor(framing: BodyFraming, source: BodySource) {
    this.#framing = framing
    this.#source = source
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The connection has added to `pieces`. */
  arrived(bytes: number): void {
    if (this.#sized !== undefined) this.#sized.add(this.#takePieces())
    else if (this.#listener === undefined) {
      this.#unread += bytes
      if (this.#unread > highWaterBytes) this.#pause()
    } else if (this.pieces.length > 0) {
      this.#release(this.#listener)
    }
  }

  /** The connection has added the last of `pieces`. */
  completed(): void {
    this.#isComplete = true
    if (this.#isPaused) this.#resume()
    if (this.#sized !== undefined) this.#fill(this.#sized)
    else if (this.#listener !== undefined) this.#release(this.#listener)
  }

  failed(error: Error): void {
    this.#error = error
    this.#sized?.failed(error)
    if (this.#listener !== undefined) this.#release(this.#listener)
  }

  next(listener: BodyListener): void {
    if (!this.#isComplete) this.wanted()
    const isDecided = this.pieces.length > 0 || this.#isComplete || this.#error !== undefined
    if (isDecided) this.#release(listener)
    else this.#listener = listener
  }

  read(): Promise<BodyPiece> {
    return new Promise((resolve, reject) =>
      this.next({
        piece: (value) => resolve({ done: false, value }),
        ended: () => resolve({ done: true }),
        failed: reject,
      }),
    )
  }

  buffered(limit: number): BufferedBody | Promise<BufferedBody> {
    if (typeof this.#framing === 'number' && this.#framing > limit) {
      this.#destroy()
      return undefined
    }
    const [only = noBytes] = this.pieces
    if (this.#isComplete && this.pieces.length <= 1 && only.length <= limit) return only
    if (typeof this.#framing === 'number') return this.#readSized(this.#framing)
    return readBuffered(this, limit, () => this.#destroy())
  }

  /** More of the body is about to be waited for. */
  protected wanted(): void {
    // The connection reads as long as nobody pauses it.
  }

  #readSized(length: number): Promise<Uint8Array> {
    const sized = new SizedBody(length)
    this.#sized = sized
    if (this.#isComplete) this.#fill(sized)
    else if (this.#error !== undefined) sized.failed(this.#error)
    else {
      sized.add(this.#takePieces())
      this.wanted()
    }
    return sized.whole
  }

  #fill(sized: SizedBody): void {
    sized.add(this.#takePieces())
    sized.ended()
  }

  /** Calls the listener with received bytes, the end or the failure, in this order. */
  #release(listener: BodyListener): void {
    this.#listener = undefined
    if (this.pieces.length > 0) listener.piece(this.#take())
    else if (this.#isComplete) listener.ended()
    else listener.failed(this.#error)
  }

  #take(): Uint8Array {
    const [only] = this.pieces
    if (only === undefined || this.pieces.length > 1) return Buffer.concat(this.#takePieces())
    // Nearly every event of a stream: it needs no list of its own.
    this.pieces.length = 0
    this.#wereTaken()
    return only
  }

  #takePieces(): readonly Buffer[] {
    const pieces = this.pieces.splice(0)
    this.#wereTaken()
    return pieces
  }

  #wereTaken(): void {
    this.#unread = 0
    if (this.#isPaused) this.#resume()
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

  /** A connection that has delivered everything may be at another message by now. */
  #destroy(): void {
    if (!this.#isComplete) this.#source.destroy()
  }
}
