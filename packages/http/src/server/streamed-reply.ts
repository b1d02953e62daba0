import type { BodySink } from './reply.ts'
import type { StreamedFraming } from './reply-framing.ts'

/** The connection that an answer is written to. */
export interface ReplyChannel {
  /** Writes all of it at once, texts in Latin-1. False when the caller does not keep up, or is gone. */
  put(before: string, pieces: readonly Uint8Array[], after: string): boolean
  whenDrained(listener: () => void): void
  /** All of the answer has been put. */
  replied(): void
  breakOff(): void
}

/** An answer that is written piece by piece, in chunks for callers that know them (RFC 9112 §7.1). */
export class StreamedReply implements BodySink {
  readonly #writer: ReplyChannel
  readonly #framing: StreamedFraming
  /** Goes out with the first bytes. */
  #head: string
  #isOver = false

  constructor(head: string, framing: StreamedFraming, writer: ReplyChannel) {
    this.#head = head
    this.#framing = framing
    this.#writer = writer
  }

  write(pieces: readonly Uint8Array[]): boolean {
    if (this.#isOver) return false
    let size = 0
    for (const piece of pieces) size += piece.length
    // A chunk without bytes would end the body.
    if (size === 0) return this.#writer.put('', [], '')
    return this.#put(`${size.toString(16)}\r\n`, pieces, '\r\n')
  }

  whenDrained(listener: () => void): void {
    if (!this.#isOver) this.#writer.whenDrained(listener)
  }

  end(last: string): void {
    if (this.#isOver) return
    if (last === '') {
      this.#put('0\r\n\r\n', [], '')
    } else {
      const bytes = Buffer.from(last)
      this.#put(`${bytes.length.toString(16)}\r\n`, [bytes], '\r\n0\r\n\r\n')
    }
    this.#isOver = true
    this.#writer.replied()
  }

  abort(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#writer.breakOff()
  }

  #put(before: string, pieces: readonly Uint8Array[], after: string): boolean {
    const head = this.#head
    this.#head = ''
    if (this.#framing === 'chunked') return this.#writer.put(head + before, pieces, after)
    return this.#writer.put(head, this.#framing === 'none' ? [] : pieces, '')
  }
}
