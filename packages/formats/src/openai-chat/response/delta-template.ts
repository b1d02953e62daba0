import { stringEnd } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson } from '../../json/value.ts'

/**
 * Most events of a stream differ from the one before in one text only. A template is the rest of such an event: when the
 * next event begins and ends the same, the reader takes the text in between without parsing. It guesses nothing: a match
 * proves the same structure, and the reader parses every other event.
 */
export interface DeltaTemplate {
  /** Up to the text, its opening quote included. */
  readonly before: string
  /** Text from the closing quote on; up to the opening quote of the padding when there is padding. */
  readonly after: string
  /** The text after OpenAI's random padding; `undefined` when the event has no padding. */
  readonly afterPadding: string | undefined
}

const textKeys = ['content', 'reasoning_content', 'reasoning'] as const
const paddingKey = 'obfuscation'

/** The template of an event whose only text is one delta, completion or tool argument text; else `undefined`. */
export function templateOf(event: JsonObject, json: string): DeltaTemplate | undefined {
  const only = onlyText(event)
  if (only === undefined) return undefined
  const textStart = valueStart(json, only.key)
  const textEnd = stringEnd(json, textStart - 1) - 1
  if (textStart < 0 || unescaped(json.slice(textStart, textEnd)) !== only.text) return undefined
  const before = json.slice(0, textStart)
  const after = json.slice(textEnd)
  const paddingStart = valueStart(after, paddingKey)
  if (paddingStart < 0) return { before, after, afterPadding: undefined }
  const afterPadding = after.slice(stringEnd(after, paddingStart - 1) - 1)
  return { before, after: after.slice(0, paddingStart), afterPadding }
}

/** The text of an event that equals the template in all but its text (and padding); `undefined` when it does not. */
export function matchTemplate(template: DeltaTemplate, json: string): string | undefined {
  const { before, after, afterPadding } = template
  if (!json.startsWith(before)) return undefined
  const textEnd = stringEnd(json, before.length - 1) - 1
  if (textEnd < 0 || !json.startsWith(after, textEnd)) return undefined
  const rest = textEnd + after.length
  if (afterPadding === undefined) {
    if (rest !== json.length) return undefined
  } else {
    const paddingEnd = stringEnd(json, rest - 1) - 1
    if (paddingEnd + afterPadding.length !== json.length || !json.endsWith(afterPadding)) return undefined
  }
  const text = json.slice(before.length, textEnd)
  return text.includes('\\') ? unescaped(text) : text
}

/** Key and text of an event that says nothing but one text. */
function onlyText(event: JsonObject): { readonly key: string; readonly text: string } | undefined {
  const choices = listOf(event.choices)
  const choice = choices[0]
  if (choices.length !== 1 || !isObject(choice) || isObject(event.usage)) return undefined
  if (isObject(choice.usage) || typeof choice.finish_reason === 'string') return undefined
  if (typeof choice.text === 'string') return { key: 'text', text: choice.text }
  const delta = objectOf(choice.delta)
  const stated = Object.keys(delta).filter(
    (name) => name !== 'role' && delta[name] !== null && delta[name] !== '',
  )
  if (stated.length !== 1) return undefined
  if (stated[0] === 'tool_calls') return onlyArguments(delta.tool_calls)
  const key = textKeys.find((name) => name === stated[0])
  const text = key === undefined ? undefined : delta[key]
  return key !== undefined && typeof text === 'string' ? { key, text } : undefined
}

/** A further piece of one tool call's arguments. */
function onlyArguments(calls: unknown): { readonly key: string; readonly text: string } | undefined {
  const [call, ...others] = listOf(calls)
  const { name, arguments: text } = objectOf(objectOf(call).function)
  return others.length === 0 && !name && typeof text === 'string' ? { key: 'arguments', text } : undefined
}

/** Returns where the text of the key begins, behind its opening quote; -1 when the key is not there exactly once. */
function valueStart(json: string, key: string): number {
  const name = `"${key}":`
  const at = json.indexOf(name)
  if (at < 0 || json.indexOf(name, at + 1) >= 0) return -1
  const value = at + name.length + (json[at + name.length] === ' ' ? 1 : 0)
  return json[value] === '"' ? value + 1 : -1
}

function unescaped(raw: string): string | undefined {
  const text = parseJson(`"${raw}"`)
  return typeof text === 'string' ? text : undefined
}
