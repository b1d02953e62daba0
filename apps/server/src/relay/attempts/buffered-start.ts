/** What came of a stream before its answer began, bounded. */
export class BufferedStart {
  readonly pieces: Uint8Array[] = []
  readonly #limit: number
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#bytes > this.#limit
  }

  add(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) {
      this.pieces.push(piece)
      this.#bytes += piece.byteLength
    }
  }
}
