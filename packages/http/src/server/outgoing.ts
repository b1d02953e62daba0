/** Where parts are put together: a socket takes what it takes at once, and what it leaves is copied. */
const scratch = Buffer.allocUnsafe(64 * 1024)

/** What is written to a socket, and what the socket has not taken of it. */
export class Outgoing {
  readonly #socket: Pick<Bun.Socket, 'write'>
  #unsent: Buffer | undefined

  constructor(socket: Pick<Bun.Socket, 'write'>) {
    this.#socket = socket
  }

  /** Everything is on its way. */
  get isTaken(): boolean {
    return this.#unsent === undefined
  }

  /**
   * Writes all of it in one go, unless it is long. Texts are in Latin-1; pieces must stay as they are until everything
   * is on its way.
   */
  write(before: string, pieces: readonly Uint8Array[], after: string): void {
    let size = before.length + after.length
    for (const piece of pieces) size += piece.length
    if (size === 0) return
    if (size <= scratch.length) {
      this.#writeTogether(before, pieces, after)
      return
    }
    this.#send(Buffer.from(before, 'latin1'))
    for (const piece of pieces) this.#send(piece)
    this.#send(Buffer.from(after, 'latin1'))
  }

  /** The socket takes more: true when everything is on its way now that was not before. */
  drained(): boolean {
    const unsent = this.#unsent
    if (unsent === undefined) return false
    this.#unsent = undefined
    this.#send(unsent)
    return this.#unsent === undefined
  }

  /** The socket takes nothing any more. */
  forget(): void {
    this.#unsent = undefined
  }

  #writeTogether(before: string, pieces: readonly Uint8Array[], after: string): void {
    let at = scratch.write(before, 0, 'latin1')
    for (const piece of pieces) {
      scratch.set(piece, at)
      at += piece.length
    }
    if (after !== '') at += scratch.write(after, at, 'latin1')
    if (this.#unsent !== undefined) {
      this.#unsent = Buffer.concat([this.#unsent, scratch.subarray(0, at)])
      return
    }
    const written = Math.max(0, this.#socket.write(scratch, 0, at))
    if (written < at) this.#unsent = Buffer.from(scratch.subarray(written, at))
  }

  #send(bytes: Uint8Array): void {
    if (this.#unsent !== undefined) {
      this.#unsent = Buffer.concat([this.#unsent, bytes])
      return
    }
    const written = Math.max(0, this.#socket.write(bytes))
    if (written < bytes.length)
      this.#unsent = Buffer.from(bytes.buffer, bytes.byteOffset + written, bytes.length - written)
  }
}
