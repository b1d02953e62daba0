import { backslash, closeBrace, closeBracket, comma, openBrace, openBracket, quote } from '../json/marks.ts'
import { type FrameScanner, FrameTooLargeError, PartialFrame, type ScannedFrame } from './frame.ts'

/** `before` the list, `between` its elements, inside an `element`, and `after` the end of the list. */
type Phase = 'before' | 'between' | 'element' | 'after'

/**
 * Cuts a JSON list that arrives in pieces into its elements: the framing of `streamGenerateContent` without `alt=sse`. A
 * frame holds an element and the separator before it. An object outside a list, such as an error, is one element.
 * The scanner counts brackets only; the parser decides whether an element is JSON.
 */
export class JsonArrayScanner implements FrameScanner {
  readonly #maxFrameBytes: number
  readonly #partial: PartialFrame
  #phase: Phase = 'before'
  /** The complete text is one element, not a list. */
  #isBare = false
  #depth = 0
  #inText = false
  #escaped = false
  /** Within the open frame: where its element begins, and how far it has been read. */
  #elementStart = 0
  #searched = 0

  constructor(maxFrameBytes: number) {
    this.#maxFrameBytes = maxFrameBytes
    this.#partial = new PartialFrame(maxFrameBytes)
  }

  /** Tells that the list has been closed; a stream that ends before was cut. */
  get isComplete(): boolean {
    return this.#phase === 'after'
  }

  push(chunk: Uint8Array): readonly ScannedFrame[] {
    if (this.#phase === 'after') return []
    const bytes = this.#partial.with(chunk)
    const frames: ScannedFrame[] = []
    let start = 0
    for (let at = this.#searched; at < bytes.length && !this.isComplete; at++) {
      const end = this.#read(bytes[at] ?? 0, at, start)
      if (end < 0) continue
      frames.push(this.#frame(bytes, start, end))
      start = end
    }
    this.#partial.hold(bytes, this.isComplete ? bytes.length : start)
    this.#searched = bytes.length - start
    return frames
  }

  /** Returns no frame: an element without its end is incomplete. */
  end(): readonly ScannedFrame[] {
    return []
  }

  #frame(bytes: Uint8Array, start: number, end: number): ScannedFrame {
    if (end - start > this.#maxFrameBytes) throw new FrameTooLargeError(this.#maxFrameBytes)
    return { bytes, start, end, data: bytes.subarray(start + this.#elementStart, end), event: '' }
  }

  /** Offset behind the element when it ends at this byte; -1 when it goes on, or when there is none. */
  #read(code: number, at: number, start: number): number {
    if (this.#phase !== 'element') {
      if (!this.#begins(code)) return -1
      this.#elementStart = at - start
    }
    return this.#follow(code, at)
  }

  /** Returns whether this byte, which is outside of all elements, begins one. */
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
}

/** White space, and the bytes of a byte order mark, which mean nothing outside an element. */
function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xef || code === 0xbb || code === 0xbf
}
