import type { TextFrame } from '../canonical/codec.ts'
import { numberOf } from '../json/number-text.ts'
import { isObject, listOf, objectOf } from '../json/value.ts'
import type { Usage } from '../usage.ts'

/** A parsed body or event that may be written to. */
export type MutableObject = { [key: string]: unknown }

/** A text inside an event or a body, where it can be changed. */
export interface TextSlot {
  /** Texts of one candidate come one after the other; a new kind ends the one before. */
  readonly candidate: number
  readonly kind: string
  readonly holder: MutableObject
  readonly key: string
}

/** Reason why the gateway ends a response before its upstream does: a word of the operator's, or the caller's own limit. */
export type EndReason = 'content-filter' | 'length'

/** Access to the texts of a response of one format, and to the end of its stream. */
export interface ResponseTexts {
  /** Texts that an event adds to, in order. */
  pieces(event: MutableObject): readonly TextSlot[]
  /** Complete texts of an event: a repetition of earlier deltas, or the only occurrence. */
  completeTexts(event: MutableObject): readonly TextSlot[]
  /** The parts of a buffered response, in order, each with its texts. */
  body(response: MutableObject): readonly TextSlot[]
  /** Ends a buffered response behind that text, which is its last one. */
  stop(response: MutableObject, last: TextSlot, reason: EndReason): void
  /** Follows a stream, to end it before its time. */
  startEnding(): StreamEnding
}

/** Follows a stream, to end it early in the caller's format. */
export interface StreamEnding {
  /** An event that goes to the caller. */
  note(event: MutableObject): void
  /**
   * Events that end the response.
   * @param usage what is charged
   */
  frames(usage: Usage, includeUsage: boolean, reason: EndReason): readonly TextFrame[]
}

/** The text in a slot; empty when it holds something else. */
export function slotText({ holder, key }: TextSlot): string {
  const text = holder[key]
  return typeof text === 'string' ? text : ''
}

/** Fields of messages, blocks and items in which models speak. */
const textFields: ReadonlySet<string> = new Set([
  'content',
  'text',
  'thinking',
  'reasoning',
  'reasoning_content',
  'refusal',
  'arguments',
  'input',
  'partial_json',
])

/** Values of calls' arguments where they are no JSON text. */
const free: ReadonlySet<string> = new Set(['args', 'input'])

/** Every text that a model spoke below here. */
export function textsBelow(value: unknown, candidate: number, kind = 'whole', isFree = false): TextSlot[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      typeof item === 'string' && isFree
        ? [{ candidate, kind, holder: value as unknown as MutableObject, key: String(index) }]
        : textsBelow(item, candidate, kind, isFree),
    )
  if (!isObject(value)) return []
  const holder = value as MutableObject
  return Object.entries(holder).flatMap(([key, member]) => {
    if (typeof member === 'string')
      return isFree || textFields.has(key) ? [{ candidate, kind, holder, key }] : []
    return textsBelow(member, candidate, kind, isFree || free.has(key))
  })
}

/** Those of the holder's fields that are texts. */
export function ownTexts(
  holder: unknown,
  keys: readonly string[],
  candidate: number,
  kind = '',
): readonly TextSlot[] {
  if (!isObject(holder)) return []
  return keys
    .filter((key) => typeof holder[key] === 'string')
    .map((key) => ({ candidate, kind: `${kind}${key}`, holder: holder as MutableObject, key }))
}

/** Objects of a list with the number each gives itself, or has. */
export function numbered(list: unknown): readonly (readonly [index: number, item: MutableObject])[] {
  return listOf(list)
    .filter(isObject)
    .map((item, position) => [numberOf(item.index) ?? position, objectOf(item) as MutableObject])
}
