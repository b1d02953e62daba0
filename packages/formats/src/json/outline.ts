import { type JsonExcess, maxJsonDepth, maxMembers } from './excess.ts'
import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './marks.ts'
import { decodeUtf8 } from './utf8.ts'

/** Length of an outline before members of the top keep little more of their own: usage may be the last of them. */
const fullBytes = 1024 * 1024
const fullParts = 50_000
const memberBytesWhenFull = 8 * 1024
/** Length of an outline at most, but for the names of members. */
const maxBytes = 2 * fullBytes
/** Bytes of one text that stay: more than the text that tokens are counted of. */
const textBytes = 256 * 1024
/** Enough to distinguish a text from an empty one. */
const textBytesWhenFull = 64
const listItems = 4096
/** Vectors are megabytes of numbers that nothing is read of. */
const listNumbers = 64
/** Keys of the top level that are known while the text comes. */
const maxTopKeys = 64

const lowerU = 0x75
const none = -1

/**
 * Reads JSON bytes as they come, and keeps an outline of them: the same JSON with long texts cut short and long lists without
 * their ends, so that usage, failures and counts of items can be read of a body of any size. Takes the bytes in a time that
 * grows with their number alone, and never more than some megabytes.
 */
export class JsonOutline {
  /** Reason why the text cannot be a response; nothing is read after it. */
  excess: JsonExcess | undefined
  /** True when what came so far begins like an object or a list; `undefined` before its first character. */
  isJson: boolean | undefined
  /** Something follows the object or list. */
  hasMore = false
  readonly topKeys = new Set<string>()
  #out = new Uint8Array(64 * 1024)
  #length = 0
  #parts = 0
  #depth = 0
  readonly #isObject = new Uint8Array(maxJsonDepth + 2)
  readonly #seen = new Uint32Array(maxJsonDepth + 2)
  readonly #retained = new Uint32Array(maxJsonDepth + 2)
  /** The depth of the container whose present item is left out. */
  #skipped = none
  /** The value of a member comes next. */
  #awaitsValue = false
  #isInScalar = false
  #isInText = false
  /** Offset in the outline at which a key of the top level begins. */
  #topKeyStart = none
  /** The rest of the text is left out. */
  #isCut = false
  /** The next byte of what is left out belongs to an escape. */
  #isCutEscaped = false
  /** Bytes of an escape that are still to come; `escapeBegins` behind a backslash. */
  #escapeLeft = 0
  #textLeft = 0
  /** Offset in the outline at which the present member of the top begins. */
  #memberStart = 0

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.#isOver; ) {
      if (this.#isInText) at = this.#passText(bytes, at)
      else if (this.#isListLeftOut) at = this.#passLeftOut(bytes, at)
      else at = this.#passMark(bytes, at)
    }
  }

  /** Tells that the rest of the present list, or the list itself, is left out. */
  get #isListLeftOut(): boolean {
    return this.#skipped !== none && this.#isObject[this.#depth] === 0
  }

  /** Goes on to what may end a list, or hide what ends it: vectors are megabytes of anything else. */
  #passLeftOut(bytes: Uint8Array, start: number): number {
    let at = start
    while (at < bytes.length && !isStructure(bytes[at] ?? 0)) at += 1
    this.#isInScalar = false
    return at < bytes.length ? this.#passMark(bytes, at) : at
  }

  get #isOver(): boolean {
    return this.excess !== undefined || this.isJson === false || this.hasMore
  }

  /** Tells that the object or list has ended, and nothing follows it. */
  get isClosed(): boolean {
    return this.isJson === true && this.#depth === 0 && !this.hasMore
  }

  /** The outline so far. Of a text that has not ended, with what closes it. */
  text(): string {
    const closing = this.isClosed ? '' : this.#closing()
    return decodeUtf8(this.#out.subarray(0, this.#length)) + closing
  }

  get #isFull(): boolean {
    if (this.#length > maxBytes) return true
    const isLong = this.#length > fullBytes || this.#parts > fullParts
    return isLong && this.#length - this.#memberStart > memberBytesWhenFull
  }

  #passMark(bytes: Uint8Array, at: number): number {
    const code = bytes[at] ?? 0
    if (code <= 0x20) {
      this.#isInScalar = false
      return at + 1
    }
    if (this.isJson === undefined) {
      this.isJson = code === openBrace || code === openBracket
      if (!this.isJson) return at
    } else if (this.#depth === 0) {
      this.hasMore = true
      return at
    }
    if (isMark(code)) {
      this.#isInScalar = false
      this.#takeMark(code)
      return at + 1
    }
    return this.#passScalar(bytes, at)
  }

  #takeMark(code: number): void {
    if (code === quote) this.#openText()
    else if (code === colon) {
      this.#awaitsValue = true
      this.#put(code)
    } else if (code === comma) this.#nextItem()
    else if (code === openBrace || code === openBracket) this.#open(code)
    else this.#close(code)
  }

  #open(code: number): void {
    this.#begin(listItems)
    this.#put(code)
    this.#depth += 1
    if (this.#depth > maxJsonDepth) {
      this.excess = 'too-deep'
      return
    }
    this.#isObject[this.#depth] = code === openBrace ? 1 : 0
    this.#seen[this.#depth] = 0
    this.#retained[this.#depth] = 0
    this.#awaitsValue = false
  }

  #close(code: number): void {
    if (this.#skipped === this.#depth) this.#skipped = none
    this.#put(code)
    this.#depth = Math.max(0, this.#depth - 1)
    this.#awaitsValue = false
  }

  /** Once an item of a list is left out, all that follow are. */
  #nextItem(): void {
    if (this.#skipped === this.#depth && this.#isObject[this.#depth] === 1) this.#skipped = none
    this.#awaitsValue = false
  }

  /** Begins a value, or a key. @param items how many of its like a list keeps */
  #begin(items: number): void {
    const depth = this.#depth
    if (this.#awaitsValue || depth === 0) return
    const seen = (this.#seen[depth] ?? 0) + 1
    this.#seen[depth] = seen
    const isMember = this.#isObject[depth] === 1
    if (isMember && seen > maxMembers) this.excess = 'too-wide'
    if (this.#skipped !== none) return
    if (depth === 1) this.#memberStart = this.#length
    const isLeftOut = isMember ? this.#isFull && depth > 1 : seen > (this.#isFull ? 1 : items)
    if (isLeftOut) {
      this.#skipped = depth
      return
    }
    this.#parts += 1
    const retained = this.#retained[depth] ?? 0
    this.#retained[depth] = retained + 1
    if (retained > 0) this.#put(comma)
  }

  #openText(): void {
    const isKey = this.#isObject[this.#depth] === 1 && !this.#awaitsValue && this.#depth > 0
    this.#begin(listItems)
    this.#put(quote)
    this.#isInText = true
    this.#isCut = this.#skipped !== none
    this.#isCutEscaped = false
    this.#escapeLeft = 0
    this.#textLeft = this.#isFull ? textBytesWhenFull : textBytes
    this.#topKeyStart = isKey && this.#depth === 1 ? this.#length : none
  }

  #closeText(): void {
    this.#isInText = false
    if (this.#topKeyStart !== none && this.topKeys.size < maxTopKeys)
      this.topKeys.add(decodeUtf8(this.#out.subarray(this.#topKeyStart, this.#length)))
    this.#topKeyStart = none
    this.#put(quote)
  }

  #passText(bytes: Uint8Array, at: number): number {
    return this.#isCut ? this.#passRest(bytes, at) : this.#passStored(bytes, at)
  }

  /** Goes through a text that is kept, byte by byte, up to where it ends or is cut: before a character. */
  #passStored(bytes: Uint8Array, start: number): number {
    let at = start
    while (at < bytes.length && this.#staysInText(bytes[at] ?? 0, at - start)) at += 1
    this.#keep(bytes, start, at)
    this.#textLeft -= at - start
    if (at === bytes.length || this.#isCut) return at
    this.#closeText()
    return at + 1
  }

  #staysInText(code: number, passed: number): boolean {
    if (this.#escapeLeft > 0) {
      this.#takeEscaped(code)
      return true
    }
    if (code === quote) return false
    this.#isCut = passed >= this.#textLeft && !isContinuation(code)
    if (code === backslash && !this.#isCut) this.#escapeLeft = escapeBegins
    return !this.#isCut
  }

  #takeEscaped(code: number): void {
    if (this.#escapeLeft < escapeBegins) this.#escapeLeft -= 1
    else this.#escapeLeft = code === lowerU ? unicodeDigits : 0
  }

  /** Goes to the end of a text that is not kept. */
  #passRest(bytes: Uint8Array, start: number): number {
    for (let from = this.#isCutEscaped ? start + 1 : start; ; ) {
      const end = bytes.indexOf(quote, from)
      const limit = end < 0 ? bytes.length : end
      let before = limit - 1
      while (before >= from && bytes[before] === backslash) before--
      const isEscaped = ((limit - 1 - before) & 1) === 1
      this.#isCutEscaped = end < 0 && isEscaped
      if (end < 0) return bytes.length
      if (!isEscaped) {
        this.#closeText()
        return end + 1
      }
      from = end + 1
    }
  }

  #passScalar(bytes: Uint8Array, start: number): number {
    let at = start
    while (at < bytes.length && isScalar(bytes[at] ?? 0)) at += 1
    if (!this.#isInScalar) this.#begin(listNumbers)
    this.#isInScalar = true
    if (this.#skipped === none) this.#keep(bytes, start, Math.min(at, start + textBytesWhenFull))
    return at
  }

  #put(code: number): void {
    if (this.#skipped !== none) return
    this.#ensure(1)
    this.#out[this.#length] = code
    this.#length += 1
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.#skipped !== none || to === from) return
    this.#ensure(to - from)
    this.#out.set(bytes.subarray(from, to), this.#length)
    this.#length += to - from
  }

  #ensure(more: number): void {
    if (this.#length + more <= this.#out.length) return
    const grown = new Uint8Array(Math.max(this.#length + more, this.#out.length * 2))
    grown.set(this.#out.subarray(0, this.#length))
    this.#out = grown
  }

  /** Returns what makes JSON of a text that has not ended. */
  #closing(): string {
    let closing = ''
    const isKey = this.#isInText && this.#isObject[this.#depth] === 1 && !this.#awaitsValue
    if (this.#isInText && this.#skipped === none) closing += isKey ? '":null' : '"'
    else if (this.#out[this.#length - 1] === colon) closing += 'null'
    for (let depth = this.#depth; depth > 0; depth--) closing += this.#isObject[depth] === 1 ? '}' : ']'
    return closing
  }
}

/** The character behind a backslash. */
const escapeBegins = 5
/** Those behind `\u`. */
const unicodeDigits = 4

/** A byte in the middle of a character. */
function isContinuation(code: number): boolean {
  return code >= 0x80 && code < 0xc0
}

function isMark(code: number): boolean {
  return (
    code === quote ||
    code === colon ||
    code === comma ||
    code === openBrace ||
    code === closeBrace ||
    code === openBracket ||
    code === closeBracket
  )
}

/** Returns whether a character opens or closes a text or a container. */
function isStructure(code: number): boolean {
  if (code < openBracket) return code === quote
  return code === openBracket || code === closeBracket || code === openBrace || code === closeBrace
}

function isScalar(code: number): boolean {
  return code > 0x20 && !isMark(code)
}
