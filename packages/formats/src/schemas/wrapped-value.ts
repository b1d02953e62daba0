import { isObject, type JsonObject, parseJson } from '../json/value.ts'
import { mapSchemas } from './keywords.ts'

/**
 * The only property of an object that stands for a value of any form, where a target demands an object without
 * alternatives. The value comes out of it again before the caller reads the response.
 */
export const wrapperProperty = 'tollgate_value'

const opening = `{"${wrapperProperty}":`
const described = 'The complete value, in this one property.'

/** The schema of an object whose only property has the schema. Definitions stay where references find them. */
export function wrapSchema(schema: JsonObject): JsonObject {
  const { $defs, definitions, $schema: _, ...own } = schema
  const moved = (inner: unknown) => withMovedReferences(inner)
  const value: JsonObject = { description: described, ...objectIn(own) }
  return mapSchemas(
    {
      type: 'object',
      properties: { [wrapperProperty]: value },
      required: [wrapperProperty],
      additionalProperties: false,
      ...($defs !== undefined && { $defs }),
      ...(definitions !== undefined && { definitions }),
    },
    '',
    moved,
  )
}

/** Returns an object in which a reference stands alone, as some targets require: an alternative of one is the same. */
function objectIn({ $ref, ...others }: JsonObject): JsonObject {
  return $ref === undefined ? others : { ...others, anyOf: [{ $ref }] }
}

function withMovedReferences(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const moved = mapSchemas(schema, '', withMovedReferences)
  const { $ref } = moved
  return typeof $ref === 'string' && isMoved($ref) ? { ...moved, $ref: movedReference($ref) } : moved
}

function isMoved(reference: string): boolean {
  return reference === '#' || (reference.startsWith('#/') && !/^#\/(\$defs|definitions)\//.test(reference))
}

function movedReference(reference: string): string {
  return `#/properties/${wrapperProperty}${reference.slice(1)}`
}

/** The text of a value as its wrapped schema has it; an empty text stays empty. */
export function wrapText(text: string): string {
  if (text.trim() === '' || parseJson(text) === undefined) return text
  return `${opening}${text}}`
}

/** The text of the value in a wrapped one; the same text when it is none. */
export function unwrapText(text: string): string {
  const unwrapper = new ValueUnwrapper()
  const unwrapped = unwrapper.push(text) + unwrapper.end()
  return unwrapper.isWhole ? unwrapped : text
}

/**
 * Takes the value out of a wrapped text that comes in pieces. What does not begin as one passes unchanged; what is said of
 * one passes without delay.
 */
export class ValueUnwrapper {
  /** Text received so far, while it may still be the beginning of a wrapper. */
  #held = ''
  #state: 'opening' | 'value' | 'closed' | 'plain' = 'opening'
  #depth = 0
  #inText = false
  #isEscaped = false

  /** Returns whether a wrapper was found, and its value has ended. */
  get isWhole(): boolean {
    return this.#state === 'closed'
  }

  /** Returns whether a wrapper was found that has not closed. */
  get isCut(): boolean {
    return this.#state === 'value'
  }

  push(piece: string): string {
    if (this.#state === 'plain') return piece
    if (this.#state === 'closed') return ''
    if (this.#state === 'value') return this.#take(piece)
    return this.#open(piece)
  }

  /** White space in front of a wrapper is not waited for. */
  #open(piece: string): string {
    const space = this.#held === '' ? piece.length - piece.trimStart().length : 0
    return piece.slice(0, space) + this.#readOpening(piece.slice(space))
  }

  #readOpening(piece: string): string {
    this.#held += piece
    const rest = behindOpening(this.#held)
    if (rest === 'unknown') return ''
    const held = this.#held
    this.#held = ''
    this.#state = rest === undefined ? 'plain' : 'value'
    return rest === undefined ? held : this.#take(rest)
  }

  /** Returns what is left when no more comes. */
  end(): string {
    const held = this.#held
    this.#held = ''
    return held
  }

  /** The brace that closes the wrapper is the first one without a partner. */
  #take(piece: string): string {
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charAt(at)
      if (this.#inText) this.#readText(char)
      else if (char === '"') this.#inText = true
      else if (char === '{' || char === '[') this.#depth++
      else if ((char === '}' || char === ']') && --this.#depth < 0) return this.#close(piece.slice(0, at))
    }
    return piece
  }

  #readText(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (char === '\\') this.#isEscaped = true
    else if (char === '"') this.#inText = false
  }

  #close(rest: string): string {
    this.#state = 'closed'
    return rest.trimEnd()
  }
}

/** The text behind `{"tollgate_value":` with any white space in it; `unknown` while it may still become one. */
function behindOpening(text: string): string | 'unknown' | undefined {
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (found === opening.length) {
      if (!isSpace(char)) return text.slice(at)
    } else if (char === opening[found]) found++
    else if (!isSpace(char) || insideName(found)) return undefined
  }
  return 'unknown'
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\r' || char === '\t'
}

/** Between the quotes white space counts. */
function insideName(found: number): boolean {
  return found > 1 && found < opening.length - 1
}
