import { parseExactJson } from '../json/exact-json.ts'
import { isObject } from '../json/value.ts'
import { type MutableObject, type ResponseTexts, slotText, type TextSlot } from './text-slots.ts'
import type { WordAutomaton } from './word-automaton.ts'

/** A filter of words, and its treatment of a response that holds one. */
export interface WordFilter {
  readonly automaton: WordAutomaton
  /** Ends the response before the word; otherwise the word alone is replaced. */
  readonly stop: boolean
}

/** A buffered response with words in it. */
export interface FilteredBody {
  /** The body for the caller. */
  readonly body: string
  /** Rest of its texts. */
  readonly text: string
}

/** `undefined` for a response that holds no word: it goes out as it is. */
export function filterBody(body: string, texts: ResponseTexts, filter: WordFilter): FilteredBody | undefined {
  const response = parseExactJson(body)
  if (!isObject(response)) return undefined
  const mutable = response as MutableObject
  const slots = texts.body(mutable)
  const found = filter.stop
    ? stopResponse(mutable, slots, texts, filter.automaton)
    : maskSlots(slots, filter.automaton)
  if (!found) return undefined
  return { body: JSON.stringify(response), text: texts.body(mutable).map(slotText).join('\n') }
}

/**
 * A buffered response whose candidates end behind so many characters each, as its format says that a limit was reached.
 * `undefined` where none is longer.
 */
export function truncateBody(
  body: string,
  texts: ResponseTexts,
  maxCharacters: number,
): FilteredBody | undefined {
  const response = parseExactJson(body)
  if (!isObject(response)) return undefined
  const mutable = response as MutableObject
  const left = new Map<number, number>()
  const stopped = new Set<number>()
  for (const slot of texts.body(mutable)) {
    const { candidate } = slot
    const room = left.get(candidate) ?? maxCharacters
    const text = slotText(slot)
    left.set(candidate, Math.max(0, room - text.length))
    if (text.length <= room) continue
    slot.holder[slot.key] = startOf(text, room)
    if (!stopped.has(candidate)) texts.stop(mutable, slot, 'length')
    stopped.add(candidate)
  }
  if (stopped.size === 0) return undefined
  return { body: JSON.stringify(response), text: texts.body(mutable).map(slotText).join('\n') }
}

/** Returns the first characters of a text, one less where they would end inside a character of two units. */
function startOf(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  const isInside = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isInside ? length - 1 : length)
}

/** Masks the words in the slots, and returns whether there was any. */
export function maskSlots(slots: readonly TextSlot[], automaton: WordAutomaton): boolean {
  let found = false
  for (const slot of slots) {
    const text = slotText(slot)
    const masked = automaton.mask(text)
    if (masked === text) continue
    found = true
    slot.holder[slot.key] = masked
  }
  return found
}

/** Stops a response; each candidate ends before its first word. */
function stopResponse(
  response: MutableObject,
  slots: readonly TextSlot[],
  texts: ResponseTexts,
  automaton: WordAutomaton,
): boolean {
  const stopped = new Set<number>()
  for (const slot of slots) {
    if (stopped.has(slot.candidate)) {
      slot.holder[slot.key] = ''
      continue
    }
    const text = slotText(slot)
    const at = automaton.find(text)
    if (at < 0) continue
    stopped.add(slot.candidate)
    slot.holder[slot.key] = text.slice(0, at)
    texts.stop(response, slot, 'content-filter')
  }
  return stopped.size > 0
}
