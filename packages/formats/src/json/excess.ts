import { backslash, closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './marks.ts'
/** Reason why a JSON text is not parsed: it nests too deep, or has too many parts. */
export type JsonExcess = 'too-deep' | 'too-wide'

/**
 * Depth to which upstreams' JSON may nest. Four times what a caller's request may by default: a response repeats schemas and arguments of
 * the request, a few levels further in.
 */
export const maxJsonDepth = 512

/**
 * Cost of the parts of a text together, in units of a number: a parser takes some 50 ns for one, and twenty times as long for a
 * key that it has not met before. A text within the bound takes a tenth of a second at most; responses of a thousand pages take a
 * tenth of that.
 */
export const maxJsonCost = 2_000_000
export const partCost = { key: 20, container: 2, value: 1 } as const
/** Limit of the members of an object: those of every format have fewer. */
export const maxMembers = 10_000

/** Says it in a sentence, for the caller. */
export function describeExcess(excess: JsonExcess): string {
  return excess === 'too-deep'
    ? `The upstream sent JSON that nests more than ${maxJsonDepth} levels deep.`
    : 'The upstream sent JSON of too many parts.'
}

/** A text up to this length is parsed in milliseconds, whatever is in it. */
const smallLength = 64 * 1024

/** Looks at the structure of a text alone: linear, no recursion, never throws. `undefined` for one that may be parsed. */
export function jsonExcess(text: string): JsonExcess | undefined {
  return text.length <= smallLength ? undefined : new Structure(text).excess()
}

class Structure {
  readonly #text: string
  #depth = 0
  #cost = 0

  constructor(text: string) {
    this.#text = text
  }

  excess(): JsonExcess | undefined {
    const text = this.#text
    for (let at = 0; at >= 0 && at < text.length; ) {
      const code = text.charCodeAt(at)
      at = code === quote ? textEnd(text, at + 1) : at + 1
      this.#take(code)
      if (this.#depth > maxJsonDepth) return 'too-deep'
      if (this.#cost > maxJsonCost) return 'too-wide'
    }
    return undefined
  }

  #take(code: number): void {
    if (code === quote || code === comma) this.#cost += partCost.value
    else if (code === colon) this.#cost += partCost.key
    else if (code === openBrace || code === openBracket) {
      this.#cost += partCost.container
      this.#depth += 1
    } else if (code === closeBrace || code === closeBracket) this.#depth -= 1
  }
}

/** Offset behind the closing quote of a text whose characters begin at `from`; -1 when it never closes. */
function textEnd(text: string, from: number): number {
  for (let at = from; ; ) {
    const end = text.indexOf('"', at)
    if (end < 0) return -1
    let before = end - 1
    while (before >= at && text.charCodeAt(before) === backslash) before--
    if (((end - 1 - before) & 1) === 0) return end + 1
    at = end + 1
  }
}
