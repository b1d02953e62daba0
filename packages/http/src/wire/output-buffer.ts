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
   * Writes texts in Latin-1 and bytes, in one system call unless they are long. `pieces` must not change until
   * everything is flushed.
   */
  write(before: string, pieces: readonly Uint8Array[], after: string): void {
    let size = before.length + after.length
    for (const piece of pieces) size += piece.length
    if (size === 0) return
    if (size <= scratch.length) {
      this.#writeJoined(before, pieces, after)
      return
    }
    this.#send(Buffer.from(before, 'latin1'))
    for (const piece of pieces) this.#send(piece)
    this.#send(Buffer.from(after, 'latin1'))
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
    at = putText(after, at)
    const taken = this.isFlushed ? this.#taken(this.#socket.write(scratch, 0, at)) : 0
    if (taken < at) this.#keep(Buffer.from(scratch.subarray(taken, at)))
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
