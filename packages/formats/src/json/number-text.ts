import { colon, comma } from './marks.ts'

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text. https://tc39.es/proposal-json-parse-with-source/ */
    rawJSON(text: string): object
  }
}

/**
 * A number of a JSON text that a double would change, as it was written: `9007199254740993123`, `1e400`, `1.0`, `-0`.
 * `JSON.stringify` writes the text back. Only the gateway's reader makes it: an object of a caller is never an instance.
 */
export class NumberText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): object {
    return JSON.rawJSON(this.text)
  }

  toString(): string {
    return this.text
  }

  valueOf(): number {
    return Number(this.text)
  }
}

/** The value as a number to compute with, the nearest double of a long one; `undefined` when it is something else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return value instanceof NumberText ? value.valueOf() : undefined
}

/** The value as read without its text: a kept number becomes the nearest double, everything else stays. */
export function withoutText(value: unknown): unknown {
  return value instanceof NumberText ? value.valueOf() : value
}

/** Returns whether a JSON token can begin with this character and be a number. */
export function beginsNumber(code: number): boolean {
  return code > comma && code < colon
}

/** Offset behind the number that begins at `start`. */
export function numberEnd(text: string, start: number): number {
  let at = start + 1
  while (isNumberPart(text.charCodeAt(at))) at++
  return at
}

/** Offset behind a number of a few digits, which is what most numbers are; 0 for any other, which needs a closer look. */
export function shortIntegerEnd(text: string, start: number): number {
  let at = start + 1
  while (isDigit(text.charCodeAt(at))) at++
  if (at - start > exactDigits || isNumberPart(text.charCodeAt(at))) return 0
  return text.charCodeAt(start) === minus && text.charCodeAt(start + 1) === zero ? 0 : at
}

/** Returns whether a double writes the number at these offsets otherwise: it changes the value, or only the spelling. */
export function isRespelled(text: string, start: number, end: number): boolean {
  if (isPlain(text, start, end)) return false
  const token = text.slice(start, end)
  return String(Number(token)) !== token
}

/** Returns whether a double changes the value of the number at these offsets, not only its spelling. */
export function isLongNumber(text: string, start: number, end: number): boolean {
  if (!isRespelled(text, start, end)) return false
  const token = text.slice(start, end)
  return !Number.isFinite(Number(token)) || significantDigits(token) > exactDigits
}

/** Every decimal of so many digits comes back from a double: IEEE 754's `DBL_DIG`. */
const exactDigits = 15

const zero = 0x30
const minus = 0x2d
const point = 0x2e
/** Decimals below 0.000001 get an exponent. */
const smallDecimal = '0.00000'

function isDigit(code: number): boolean {
  return code >= zero && code < colon
}

/** Digits, signs, point and exponent. */
function isNumberPart(code: number): boolean {
  return (code > comma && code < colon) || code === 0x65 || code === 0x45 || code === 0x2b
}

/** Returns whether a number has so few digits, and none to spare, that a double writes it as it is. Most numbers are known by this. */
function isPlain(text: string, start: number, end: number): boolean {
  if (end - start > exactDigits) return false
  let hasPoint = false
  for (let at = end - 1; at > start; at--) {
    const code = text.charCodeAt(at)
    if (code === point) hasPoint = true
    else if (!isDigit(code)) return false
  }
  const first = text.charCodeAt(start) === minus ? start + 1 : start
  if (!hasPoint) return first === start || text.charCodeAt(first) !== zero
  return text.charCodeAt(end - 1) !== zero && !text.startsWith(smallDecimal, first)
}

function significantDigits(token: string): number {
  const [digits = ''] = token.split(/e/i)
  return digits.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length
}
