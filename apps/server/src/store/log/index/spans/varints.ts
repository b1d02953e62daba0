/** Writes whole numbers that are not negative in as few bytes as each needs: seven bits to the byte, the lowest first. */
export class VarintWriter {
  #bytes = new Uint8Array(256)
  #length = 0

  add(value: number): void {
    if (this.#length + maxBytes > this.#bytes.length) this.#grow()
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) + 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length++] = rest
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2)
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Length of the largest safe integer. */
const maxBytes = 8

/** Reads what a writer wrote, one number after the other. */
export class VarintReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  next(): number {
    let byte = this.#bytes[this.#at++] ?? 0
    if (byte < 0x80) return byte
    let value = byte - 0x80
    let factor = 0x80
    do {
      byte = this.#bytes[this.#at++] ?? 0
      value += (byte & 0x7f) * factor
      factor *= 0x80
    } while (byte >= 0x80)
    return value
  }
}
