import { skipSpace, skipValue, stringEnd } from './text.ts'
import { isObject, type JsonObject } from './value.ts'

/** Decides which objects of a JSON text to replace. */
interface ObjectSplice {
  /** Returns whether to look into a member. `isTop`: it is a member of the outermost object. */
  enters(key: string, isTop: boolean): boolean
  /** Nothing is replaced inside of this object. */
  isClosed(object: JsonObject): boolean
  /** The object's replacement; `undefined` to look into it. Members with the same value keep their text. */
  replacement(object: JsonObject): JsonObject | undefined
}

/**
 * A JSON text with some of its objects written otherwise; every other character stays as it is.
 * @param text that was parsed before
 * @param body what the text holds; its texts may be cut short
 */
export function spliceObjects(text: string, body: JsonObject, splice: ObjectSplice): string {
  return new Splicer(text, splice).run(body)
}

/** Walks text and values side by side: nothing but keys is read of the text. */
class Splicer {
  readonly #text: string
  readonly #splice: ObjectSplice
  readonly #pieces: string[] = []
  #copied = 0

  constructor(text: string, splice: ObjectSplice) {
    this.#text = text
    this.#splice = splice
  }

  run(body: JsonObject): string {
    this.#members(skipSpace(this.#text, 0), (key, at) =>
      this.#splice.enters(key, true) ? this.#value(at, body[key]) : this.#skip(at),
    )
    return this.#pieces.join('') + this.#text.slice(this.#copied)
  }

  /** @returns the offset behind the value that begins at `at` */
  #value(at: number, value: unknown): number {
    const opening = this.#text[at]
    if (opening === '[' && Array.isArray(value)) return this.#items(at, value)
    return opening === '{' && isObject(value) ? this.#object(at, value) : this.#skip(at)
  }

  #object(at: number, value: JsonObject): number {
    const { enters, isClosed, replacement } = this.#splice
    const other = replacement(value)
    if (other !== undefined) return this.#replaceMembers(at, value, other)
    if (isClosed(value)) return this.#skip(at)
    return this.#members(at, (key, start) =>
      enters(key, false) ? this.#value(start, value[key]) : this.#skip(start),
    )
  }

  #replaceMembers(at: number, value: JsonObject, other: JsonObject): number {
    const keys = Object.keys(other)
    const isSame = keys.length === Object.keys(value).length && keys.every((key) => Object.hasOwn(value, key))
    if (!isSame) return this.#replace(at, other)
    return this.#members(at, (key, start) =>
      value[key] === other[key] ? this.#skip(start) : this.#replace(start, other[key]),
    )
  }

  #replace(at: number, value: unknown): number {
    this.#pieces.push(this.#text.slice(this.#copied, at), JSON.stringify(value))
    this.#copied = this.#skip(at)
    return this.#copied
  }

  #members(at: number, member: (key: string, valueStart: number) => number): number {
    const text = this.#text
    let next = skipSpace(text, at + 1)
    while (text[next] === '"') {
      const keyEnd = stringEnd(text, next)
      const key = String(JSON.parse(text.slice(next, keyEnd)))
      next = this.#next(member(key, skipSpace(text, skipSpace(text, keyEnd) + 1)))
    }
    return next + 1
  }

  #items(at: number, items: readonly unknown[]): number {
    let next = skipSpace(this.#text, at + 1)
    for (let position = 0; this.#text[next] !== ']'; position += 1)
      next = this.#next(this.#value(next, items[position]))
    return next + 1
  }

  /** Behind a value: the next one, or the end of what holds both. */
  #next(end: number): number {
    const at = skipSpace(this.#text, end)
    return this.#text[at] === ',' ? skipSpace(this.#text, at + 1) : at
  }

  #skip(start: number): number {
    return skipValue(this.#text, start)
  }
}
