import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './marks.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

/** The members whose texts are replaced, by their names from the outermost object on, and what they say instead. */
export interface MemberTexts {
  readonly [name: string]: string | MemberTexts
}

const none = -1
/** No member that is replaced has a longer name. */
const maxKeyBytes = 64

/** The role of the text that the editor is in. */
type Text = 'key' | 'value' | 'other'

/**
 * Replaces the texts of some members in JSON that passes as bytes: one body in any pieces, objects of a list, or events whose data
 * is an object. Every other byte stays as it is, also in texts that look like such members. Members that hold no text stay.
 */
export class MemberEditor {
  readonly #root: MemberTexts
  /** The wanted members of the open objects, as long as each object lies on the way to one. */
  readonly #path: MemberTexts[] = []
  #depth = 0
  /** True when a name comes next in the innermost wanted object. */
  #awaitsKey = false
  #found: string | MemberTexts | undefined
  #text: Text | undefined
  /** The next byte of the text is escaped. */
  #isEscaped = false
  #key = ''

  constructor(texts: MemberTexts) {
    this.#root = texts
  }

  /** Forgets an object that has not ended: what comes next begins anew. */
  reset(): void {
    this.#path.length = 0
    this.#depth = 0
    this.#text = undefined
    this.#isEscaped = false
  }

  /** @returns the same bytes where nothing is replaced in them */
  edit(bytes: Uint8Array): Uint8Array {
    const pieces: Uint8Array[] = []
    let copied = this.#text === 'value' ? none : 0
    for (let at = 0; at < bytes.length; ) {
      if (this.#text === undefined) {
        at = this.#mark(bytes, at)
        if (this.#text !== 'value') continue
        pieces.push(bytes.subarray(copied, at), replacement(this.#found))
        copied = none
      } else {
        const isReplaced = this.#text === 'value'
        at = this.#passText(bytes, at)
        if (isReplaced && this.#text === undefined) copied = at - 1
      }
    }
    if (copied === 0) return bytes
    if (copied !== none) pieces.push(bytes.subarray(copied))
    return joined(pieces)
  }

  /** True while every open object is on the way to a wanted member. */
  get #isWanted(): boolean {
    return this.#depth > 0 && this.#path.length === this.#depth
  }

  /** Reads one byte outside of texts. Between objects, and in lists of them, nothing else has a meaning. */
  #mark(bytes: Uint8Array, at: number): number {
    const code = bytes[at]
    if (code === openBrace) this.#open()
    else if (this.#depth === 0) return at + 1
    else if (code === quote) this.#beginText()
    else if (code === openBracket) this.#depth += 1
    else if (code === closeBrace || code === closeBracket) this.#close()
    else if (this.#isWanted && (code === comma || code === colon)) this.#awaitsKey = code === comma
    return at + 1
  }

  #open(): void {
    const inside = this.#depth === 0 ? this.#root : this.#isWanted ? this.#found : undefined
    this.#depth += 1
    if (typeof inside !== 'object') return
    this.#path.push(inside)
    this.#awaitsKey = true
  }

  #close(): void {
    if (this.#path.length === this.#depth) this.#path.pop()
    this.#depth -= 1
    this.#found = undefined
  }

  #beginText(): void {
    if (!this.#isWanted) this.#text = 'other'
    else if (this.#awaitsKey) this.#text = 'key'
    else this.#text = typeof this.#found === 'string' ? 'value' : 'other'
    this.#key = ''
  }

  /** @returns the offset behind the closing quote, or the end of the bytes */
  #passText(bytes: Uint8Array, start: number): number {
    const end = this.#textEnd(bytes, start)
    if (this.#text === 'key' && this.#key.length <= maxKeyBytes)
      this.#key += decodeUtf8(bytes.subarray(start, end < 0 ? bytes.length : end))
    if (end < 0) return bytes.length
    if (this.#text === 'key') this.#found = wanted(this.#path.at(-1), this.#key)
    this.#text = undefined
    return end + 1
  }

  /** Offset of the closing quote; negative where the text goes on behind the bytes. */
  #textEnd(bytes: Uint8Array, start: number): number {
    for (let from = start; ; ) {
      const end = bytes.indexOf(quote, from)
      const isEscaped = isOdd(bytes, from, end < 0 ? bytes.length : end, this.#isEscaped)
      this.#isEscaped = end < 0 && isEscaped
      if (end < 0 || !isEscaped) return end
      from = end + 1
    }
  }
}

/** Tells whether an odd number of backslashes stands before `end`. @param isEscaped an escape has begun before `from` */
function isOdd(bytes: Uint8Array, from: number, end: number, isEscaped: boolean): boolean {
  let before = end
  while (before > from && bytes[before - 1] === backslash) before -= 1
  const isCarried = before === from && isEscaped
  return (end - before + (isCarried ? 1 : 0)) % 2 === 1
}

function wanted(members: MemberTexts | undefined, name: string): string | MemberTexts | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined
}

/** The text within its quotes. */
function replacement(text: string | MemberTexts | undefined): Uint8Array {
  return encodeUtf8(JSON.stringify(text).slice(1, -1))
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
