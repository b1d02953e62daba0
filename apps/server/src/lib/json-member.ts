/** A part of a JSON text, in order. */
export interface JsonPiece {
  /** Set for a part of a text under the name, without its quotes; escapes stay as they are. */
  readonly isInside: boolean
  /** Valid until the next piece is read. */
  readonly bytes: Uint8Array
}

type State = 'outside' | 'text' | 'behind-name' | 'before-value' | 'inside' | 'closing'

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const spaces: readonly number[] = [0x20, 0x09, 0x0a, 0x0d]

/**
 * Splits a JSON text, as it arrives, at the string values of one member name, at any depth: values of many megabytes
 * need not be in memory to be forwarded or left out. Text that is not JSON is split at an arbitrary place; nothing
 * throws.
 * @param name of plain ASCII letters, which no writer escapes
 */
export async function* cutAtMember(
  source: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<JsonPiece, undefined> {
  const cutter = new MemberCutter(Buffer.from(name))
  for await (const bytes of source) yield* cutter.cut(bytes)
}

class MemberCutter {
  readonly #name: Buffer
  #state: State = 'outside'
  /** Matched bytes of the name so far; -1 for another text. */
  #matched = 0
  #isEscaped = false

  constructor(name: Buffer) {
    this.#name = name
  }

  *cut(bytes: Uint8Array): Generator<JsonPiece, undefined> {
    for (let start = 0; start < bytes.length; ) {
      const isInside = this.#state === 'inside'
      const end = isInside ? this.#endOfValue(bytes, start) : this.#startOfValue(bytes, start)
      if (end > start) yield { isInside, bytes: bytes.subarray(start, end) }
      start = end
    }
  }

  #endOfValue(bytes: Uint8Array, start: number): number {
    for (let position = start; position < bytes.length; position += 1) {
      const byte = bytes[position]
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) {
        this.#state = 'closing'
        return position
      }
    }
    return bytes.length
  }

  #startOfValue(bytes: Uint8Array, start: number): number {
    for (let position = start; position < bytes.length; position += 1) {
      this.#step(bytes[position] ?? 0)
      if (this.#state === 'inside') return position + 1
    }
    return bytes.length
  }

  #step(byte: number): void {
    if (this.#state === 'text') this.#stepInText(byte)
    else if (this.#state === 'closing') this.#state = 'outside'
    else if (spaces.includes(byte)) return
    else if (this.#state === 'behind-name' && byte === colon) this.#state = 'before-value'
    else if (byte === quote && this.#state === 'before-value') this.#state = 'inside'
    else if (byte === quote) this.#enterText()
    else this.#state = 'outside'
  }

  #enterText(): void {
    this.#state = 'text'
    this.#matched = 0
    this.#isEscaped = false
  }

  #stepInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) {
      this.#isEscaped = true
      this.#matched = -1
    } else if (byte === quote) this.#state = this.#matched === this.#name.length ? 'behind-name' : 'outside'
    else if (this.#matched >= 0) this.#matched = byte === this.#name[this.#matched] ? this.#matched + 1 : -1
  }
}
