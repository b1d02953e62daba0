/**
 * Pieces are joined in groups: each may be a slice of its whole event, which must not stay in memory for it. Small
 * groups, for a thousand streams wait at a time, each with its last one.
 */
const groupSize = 8

/** A text that comes in pieces. */
export class TextBuffer {
  #text = ''
  readonly #pieces: string[] = []

  get isEmpty(): boolean {
    return this.#text === '' && this.#pieces.length === 0
  }

  /** @param piece not empty */
  append(piece: string): void {
    if (this.#pieces.push(piece) === groupSize) this.#join()
  }

  /** All that has come so far. */
  read(): string {
    if (this.#pieces.length > 0) this.#join()
    return this.#text
  }

  #join(): void {
    this.#text += this.#pieces.join('')
    this.#pieces.length = 0
  }
}
