import { freeBytes } from './free-bytes.ts'

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
      freeBytes(piece)
    }
  }

  ended(): void {
    this.#resolve(this.#bytes)
  }

  failed(error: unknown): void {
    this.#reject(error)
  }
}
