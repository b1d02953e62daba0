import { closeBrace, closeBracket, comma, openBrace, openBracket, quote } from './marks.ts'
import {
  beginsNumber,
  isLongNumber,
  isRespelled,
  NumberText,
  numberEnd,
  numberOf,
  shortIntegerEnd,
} from './number-text.ts'
import { type JsonScan, keyText, stringEnd } from './text.ts'
import { isObject, parseJson, parseUnbounded } from './value.ts'

/**
 * Content of the top level of a text. `fields` are parameters that the gateway computes with: their spelling may change,
 * their value may not. In `data`, every number keeps its text.
 */
export type TopLevel = 'fields' | 'data'

/**
 * Parses JSON of a call, and keeps the text of numbers that a double would change (`NumberText`). `undefined` when the text is
 * not JSON. A text without such numbers costs one look at its numbers more than `parseJson`.
 */
export function parseExactJson(text: string, top: TopLevel = 'data'): unknown {
  const value = parseJson(text)
  return value !== undefined && hasRespelled(text) ? keepNumbers(text, value, top) : value
}

/**
 * Parses the body of a request that was scanned before, and keeps the text of its long numbers.
 * @param text what was scanned; its texts may be cut short
 */
export function parseScanned(text: string, { hasLongNumbers }: Pick<JsonScan, 'hasLongNumbers'>): unknown {
  const value = parseUnbounded(text)
  return hasLongNumbers && value !== undefined ? keepNumbers(text, value, 'fields') : value
}

/**
 * Parses an event of a stream: nearly all of them hold a piece of text, and no number that has to keep its own.
 * @param key what the text of an event has that holds arguments as values
 */
export function parseEvent(data: string, key: string): unknown {
  return data.includes(key) ? parseExactJson(data) : parseJson(data)
}

/** Returns whether a double would write any number of the text otherwise. */
function hasRespelled(text: string): boolean {
  for (let at = 0; at >= 0 && at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (beginsNumber(code)) {
      const end = shortIntegerEnd(text, at)
      if (end === 0 && isRespelled(text, at, numberEnd(text, at))) return true
      at = end || numberEnd(text, at)
    } else at++
  }
  return false
}

/**
 * Puts the text of numbers that a double would change in their places.
 * @param text that was parsed before
 * @param value what the text holds, not used elsewhere: its members are replaced. Its texts may be cut short.
 * @returns the value; another one where the text is a number alone
 */
function keepNumbers(text: string, value: unknown, top: TopLevel): unknown {
  return new NumberKeeper(text, top).run(value)
}

/** An object or a list on the way through the text. */
interface Container {
  /** Parsed value of it; anything else where a repeated key replaced it. */
  readonly value: unknown
  readonly isList: boolean
  /** Place of the present item. */
  position: number
  /** Offset of the present member's key. */
  keyStart: number
  awaitsKey: boolean
}

/** Walks the text, and what was parsed of it beside: the members of an object are looked up where a number needs it. */
class NumberKeeper {
  readonly #text: string
  readonly #top: TopLevel
  readonly #outer: Container[] = []
  /** Equal numbers are one object, so that they stay equal to those who compare. */
  readonly #retained = new Map<string, NumberText>()
  #container: Container = opened(undefined, true)

  constructor(text: string, top: TopLevel) {
    this.#text = text
    this.#top = top
  }

  run(value: unknown): unknown {
    const root = [value]
    this.#container = opened(root, true)
    for (let at = 0; at < this.#text.length; ) {
      const code = this.#text.charCodeAt(at)
      if (code === quote) at = this.#passText(at)
      else if (beginsNumber(code)) at = this.#passNumber(at)
      else {
        this.#passMark(code)
        at++
      }
    }
    return root[0]
  }

  #passText(start: number): number {
    const container = this.#container
    if (container.awaitsKey) {
      container.awaitsKey = false
      container.keyStart = start
    }
    return stringEnd(this.#text, start)
  }

  #passNumber(start: number): number {
    const end = numberEnd(this.#text, start)
    const isStored = this.#top === 'fields' && this.#outer.length === 1 ? isLongNumber : isRespelled
    if (isStored(this.#text, start, end)) this.#keep(this.#text.slice(start, end))
    return end
  }

  #passMark(code: number): void {
    const container = this.#container
    if (code === comma) {
      container.position++
      container.awaitsKey = !container.isList
    } else if (code === openBrace || code === openBracket) {
      this.#outer.push(container)
      this.#container = opened(this.#parsed(), code === openBracket)
    } else if (code === closeBrace || code === closeBracket) this.#container = this.#outer.pop() ?? container
  }

  /** Keeps the token of a member. Of a repeated key the parser believes the last: a number is kept only where the parser has the same one. */
  #keep(token: string): void {
    if (numberOf(this.#parsed()) !== Number(token)) return
    const known = this.#retained.get(token) ?? new NumberText(token)
    this.#retained.set(token, known)
    const members = this.#container.value as Record<string, unknown> // It has a number here.
    members[this.#key()] = known
  }

  /** Returns what was parsed in the present place. */
  #parsed(): unknown {
    const { value, isList } = this.#container
    const holder = isList ? Array.isArray(value) && value : isObject(value) && value
    const key = this.#key()
    return holder && Object.hasOwn(holder, key) ? (holder as Record<string, unknown>)[key] : undefined
  }

  #key(): string {
    const { isList, position, keyStart } = this.#container
    return isList ? String(position) : keyText(this.#text, keyStart)
  }
}

function opened(value: unknown, isList: boolean): Container {
  return { value, isList, position: 0, keyStart: 0, awaitsKey: !isList }
}
