import { FrameTooLargeError } from './framing/frame.ts'
import { decodeUtf8 } from './utf8.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** `before` the list, `between` its elements, inside an `element`, and `after` the end of the list. */
type Phase = 'before' | 'between' | 'element' | 'after'

/**
 * Cuts a JSON list that arrives bit by bit into the texts of its elements: the framing of `streamGenerateContent`
 * without `alt=sse`. Chunks may end anywhere, inside a UTF-8 sequence too; the elements are the same for every split. A
 * text that is no list is one element, as an error is. It judges brackets only: whether an element is JSON is the
 * parser's to say.
 */
export class JsonArrayScanner {
  readonly #maxElementBytes: number
  #phase: Phase = 'before'
  /** The whole text is one element, not a list of them. */
  #isBare = false
  #depth = 0
  #inText = false
  #escaped = false
  /** The element that is not complete yet. */
  #held: Uint8Array[] = []
  #heldLength = 0

  constructor(maxElementBytes: number) {
    this.#maxElementBytes = maxElementBytes
  }

  /** The list has been closed; bytes that end before were cut. */
  get isComplete(): boolean {
    return this.#phase === 'after'
  }

  /** Elements completed by this chunk, in order. Throws `FrameTooLargeError` and is of no further use then. */
  push(chunk: Uint8Array): readonly string[] {
    const elements: string[] = []
    let start = this.#phase === 'element' ? 0 : -1
    for (let at = 0; at < chunk.length && this.#phase !== 'after'; at++) {
      const code = chunk[at] ?? 0
      if (this.#phase !== 'element') {
        if (this.#begins(code)) start = at
        else continue
      }
      const end = this.#follow(code, at)
      if (end < 0) continue
      elements.push(this.#take(chunk.subarray(start, end)))
      start = -1
    }
    if (this.#phase === 'element' && start >= 0) this.#hold(chunk.slice(start))
    return elements
  }

  /** Whether an element begins with this byte, which stands outside of all elements. */
  #begins(code: number): boolean {
    if (isSpace(code) || code === comma) return false
    if (this.#phase === 'before' && code === openBracket) {
      this.#phase = 'between'
      return false
    }
    if (this.#phase === 'between' && code === closeBracket) {
      this.#phase = 'after'
      return false
    }
    this.#isBare = this.#phase === 'before'
    this.#phase = 'element'
    this.#depth = 0
    return true
  }

  /** Offset behind the element when it ends at this byte; -1 when it goes on. */
  #follow(code: number, at: number): number {
    if (this.#inText) {
      this.#followText(code)
      return -1
    }
    if (code === quote) this.#inText = true
    else if (code === openBrace || code === openBracket) this.#depth++
    else if (code === closeBrace || code === closeBracket) return this.#close(code, at)
    else if (code === comma && this.#depth === 0) return this.#end('between', at)
    return -1
  }

  #followText(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === backslash) this.#escaped = true
    else if (code === quote) this.#inText = false
  }

  #close(code: number, at: number): number {
    if (this.#depth === 0) return this.#end(code === closeBracket ? 'after' : 'between', at)
    this.#depth--
    return this.#depth === 0 ? this.#end('between', at + 1) : -1
  }

  #end(next: Phase, end: number): number {
    this.#phase = this.#isBare ? 'after' : next
    return end
  }

  #take(last: Uint8Array): string {
    if (this.#heldLength === 0) {
      this.#check(last.length)
      return decodeUtf8(last)
    }
    this.#hold(last)
    const whole = new Uint8Array(this.#heldLength)
    let at = 0
    for (const piece of this.#held) {
      whole.set(piece, at)
      at += piece.length
    }
    this.#held = []
    this.#heldLength = 0
    return decodeUtf8(whole)
  }

  #hold(piece: Uint8Array): void {
    this.#check(this.#heldLength + piece.length)
    this.#held.push(piece)
    this.#heldLength += piece.length
  }

  #check(length: number): void {
    if (length > this.#maxElementBytes) throw new FrameTooLargeError(this.#maxElementBytes)
  }
}

/** White space, and a byte order mark, which is none inside a list. */
function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xef || code === 0xbb || code === 0xbf
}
