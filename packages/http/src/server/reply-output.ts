import { OutputBuffer } from '../wire/output-buffer.ts'
import type { ReplyTarget } from './reply-writer.ts'

/** The connection that answers are written to. */
export interface ReplyOwner {
  /** Value of `Date`. */
  readonly date: string
  /** Whether everything is on its way may have changed. */
  flushChanged(): void
  /** The connection is broken. */
  terminate(): void
  /** The caller took some of what it is behind with. */
  progressed(): void
  /** The whole answer is on its way. */
  finished(): void
  breakOff(): void
  discardBody(): void
}

/** The writing half of a connection. */
export class ReplyOutput implements ReplyTarget {
  /** The connection ends with the present answer. */
  closes = false
  /** The answer has begun. */
  isReplying = false
  readonly #owner: ReplyOwner
  readonly #buffer: OutputBuffer
  #isClosed = false
  /** All of the answer has been given to the buffer. */
  #isReplied = false
  #whenDrained: (() => void) | undefined

  constructor(socket: Pick<Bun.Socket, 'write'>, owner: ReplyOwner) {
    this.#owner = owner
    this.#buffer = new OutputBuffer(socket)
  }

  get date(): string {
    return this.#owner.date
  }

  get isFlushed(): boolean {
    return this.#buffer.isFlushed
  }

  get takenBytes(): number {
    return this.#buffer.takenBytes
  }

  put(before: string, pieces: readonly Uint8Array[], after: string): boolean {
    if (this.#isClosed) return false
    this.#buffer.write(before, pieces, after)
    if (this.#buffer.isFlushed) return true
    if (this.#buffer.isBroken) this.#owner.terminate()
    else this.#owner.flushChanged()
    return false
  }

  whenDrained(listener: () => void): void {
    this.#whenDrained = listener
    if (this.#buffer.isFlushed && !this.#isClosed) this.#tellDrained()
  }

  replied(): void {
    if (this.#isClosed) return
    this.#isReplied = true
    if (this.#buffer.isFlushed) this.#owner.finished()
  }

  breakOff(): void {
    if (this.#isClosed) return
    this.#buffer.discard()
    this.#owner.breakOff()
  }

  discardBody(): void {
    this.#owner.discardBody()
  }

  /** The socket takes more. */
  writable(): void {
    if (this.#buffer.isFlushed) return
    const isFlushed = this.#buffer.flush()
    if (this.#buffer.isBroken) {
      this.#owner.terminate()
    } else if (!isFlushed) {
      this.#owner.progressed()
    } else if (this.#isReplied) {
      this.#owner.finished()
    } else {
      this.#owner.flushChanged()
      this.#tellDrained()
    }
  }

  /** The next answer is to come. */
  reset(): void {
    this.isReplying = false
    this.#isReplied = false
  }

  /** The connection is closed. */
  close(): void {
    this.#isClosed = true
    this.#buffer.discard()
    this.#whenDrained = undefined
  }

  #tellDrained(): void {
    const listener = this.#whenDrained
    this.#whenDrained = undefined
    listener?.()
  }
}
