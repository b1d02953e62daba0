/** Buffer in which small parts are joined before they are written: one system call instead of several. */
const scratch = Buffer.allocUnsafe(64 * 1024)

/** The bytes for a socket: those that it has not taken yet wait here. */
export class OutputBuffer {
  readonly #socket: Pick<Bun.Socket, 'write'>
  #pending: Uint8Array[] = []
  #pendingBytes = 0
  #takenBytes = 0
  #isBroken = false

  constructor(socket: Pick<Bun.Socket, 'write'>) {
    this.#socket = socket
  }

  /** The socket has taken everything. */
  get isFlushed(): boolean {
    return this.#pendingBytes === 0
  }

  /** The connection is broken; a paused socket learns of it in no other way. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Bytes that the socket has taken since it was opened. */
  get takenBytes(): number {
    return this.#takenBytes
  }

  /**
   * Writes texts in Latin-1 and bytes, in one system call unless they are long: then short ones go with the beginning of the next long
   * one. `pieces` must not change until everything is flushed.
   */
  write(before: string, pieces: readonly Uint8Array[], after: string): void {
    let size = before.length + after.length
    for (const piece of pieces) size += piece.length
    if (size === 0) return
    if (size <= scratch.length) {
      this.#writeJoined(before, pieces, after)
      return
    }
    let at = this.#putOrSend(Buffer.from(before, 'latin1'), 0)
    for (const piece of pieces) at = this.#putOrSend(piece, at)
    this.#sendScratch(this.#putOrSend(Buffer.from(after, 'latin1'), at))
  }

  /** Writes text as UTF-8. @param bytes its length in bytes */
  writeUtf8(text: string, bytes: number): void {
    // A long text is encoded first, so that what the socket did not take is known without encoding it again.
    if (text.length > scratch.length || !this.isFlushed) {
      this.#send(Buffer.from(text))
      return
    }
    const taken = this.#taken(this.#socket.write(text))
    if (taken < bytes) this.#keep(Buffer.from(text).subarray(taken))
  }

  /** The socket takes more. True when everything is flushed now that was not before. */
  flush(): boolean {
    if (this.isFlushed) return false
    const pending =
      this.#pendingBytes <= scratch.length && this.#pending.length > 1
        ? [Buffer.concat(this.#pending)]
        : this.#pending
    this.discard()
    for (const bytes of pending) this.#send(bytes)
    return this.isFlushed
  }

  /** Forgets what the socket has not taken. */
  discard(): void {
    this.#pending = []
    this.#pendingBytes = 0
  }

  #writeJoined(before: string, pieces: readonly Uint8Array[], after: string): void {
    let at = putText(before, 0)
    for (const piece of pieces) {
      scratch.set(piece, at)
      at += piece.length
    }
    this.#sendScratch(putText(after, at))
  }

  /** Puts a piece behind what waits in the scratch buffer, and sends it where it does not fit. @returns where the scratch buffer ends */
  #putOrSend(piece: Uint8Array, at: number): number {
    if (at + piece.length <= scratch.length) {
      scratch.set(piece, at)
      return at + piece.length
    }
    // A system call costs more than a copy of what still fits into this one.
    const joined = at === 0 ? 0 : scratch.length - at
    if (at > 0) scratch.set(piece.subarray(0, joined), at)
    this.#sendScratch(at + joined)
    this.#send(piece.subarray(joined))
    return 0
  }

  /** Sends the first bytes of the scratch buffer. */
  #sendScratch(size: number): void {
    if (size === 0) return
    const taken = this.isFlushed ? this.#taken(this.#socket.write(scratch, 0, size)) : 0
    if (taken < size) this.#keep(Buffer.from(scratch.subarray(taken, size)))
  }

  #send(bytes: Uint8Array): void {
    const taken = this.isFlushed ? this.#taken(this.#socket.write(bytes)) : 0
    if (taken < bytes.length) this.#keep(bytes.subarray(taken))
  }

  /** @param written as the socket says: less than nothing when it is broken */
  #taken(written: number): number {
    if (written < 0) {
      this.#isBroken = true
      return 0
    }
    this.#takenBytes += written
    return written
  }

  #keep(bytes: Uint8Array): void {
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
  }
}

/** The texts around a chunk are shorter: a call of the encoder costs more than they do. */
const shortText = 16

/** Puts a text into the scratch buffer in Latin-1, and returns where it ends. */
function putText(text: string, at: number): number {
  if (text.length > shortText) return at + scratch.write(text, at, 'latin1')
  for (let index = 0; index < text.length; index += 1) scratch[at + index] = text.charCodeAt(index)
  return at + text.length
}
