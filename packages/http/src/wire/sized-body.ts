/** Pieces from here on have memory of their own; smaller ones may share theirs. */
const ownBytes = 16 * 1024

/** A body of announced length in one buffer, which its pieces fill as they come. */
export class SizedBody {
  readonly whole: Promise<Uint8Array>
  readonly #bytes: Buffer
  readonly #resolve: (bytes: Uint8Array) => void
  readonly #reject: (error: unknown) => void
  #size = 0

  constructor(length: number) {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.whole = promise
    this.#resolve = resolve
    this.#reject = reject
    // Untouched pages take no memory: a sender that announces much and sends nothing costs nothing.
    this.#bytes = Buffer.allocUnsafeSlow(length)
  }

  /** Copies pieces that nobody else reads, and frees them. */
  add(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      this.#bytes.set(piece, this.#size)
      this.#size += piece.length
      free(piece)
    }
  }

  ended(): void {
    this.#resolve(this.#bytes)
  }

  failed(error: unknown): void {
    this.#reject(error)
  }
}

/** Buffers of ES2024, which the runtime has. */
type Transferable = ArrayBufferLike & { transfer?(length: number): unknown }

/** Returns the memory at once: until the next collection, the pieces of many calls would take new memory each. */
function free({ buffer, byteOffset, length }: Uint8Array): void {
  const memory: Transferable = buffer
  // What stands behind the piece belongs to the next message.
  if (length >= ownBytes && byteOffset + length === memory.byteLength) memory.transfer?.(0)
}
