import {
  type JsonEdits,
  type JsonObject,
  listOf,
  objectOf,
  type RequestQuirks,
  type RequestText,
} from '@tollgate/formats'
import { mergeEdits, noEdits, renameField } from '../edits/json-edits.ts'
import {
  composeEdits,
  developerAsSystem,
  editMessages,
  type MessageEdit,
  omitMembers,
} from '../edits/message-edits.ts'
import { wordsOf } from '../words.ts'

const ownForm = /^[a-zA-Z0-9]{9}$/
const digits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const length = 9

/**
 * The id as Mistral takes it: nine letters and digits. One of another form becomes the same one every time, so that a
 * call and its result still name each other.
 */
export function mistralCallId(id: string): string {
  if (ownForm.test(id)) return id
  let [first, second] = [seedA, seedB]
  for (let place = 0; place < id.length; place++) {
    const code = id.charCodeAt(place)
    first = Math.imul(first ^ code, primeA) >>> 0
    second = Math.imul(second ^ code, primeB) >>> 0
  }
  return digitsOf(first * 2 ** 21 + (second >>> 11))
}

/** Two FNV-1a sums with different primes: 53 bits, as many as a number holds exactly. */
const seedA = 0x811c9dc5
const seedB = 0x050c5d1f
const primeA = 0x01000193
const primeB = 0x01000197

function digitsOf(value: number): string {
  let rest = value
  return Array.from({ length }, () => {
    const digit = digits[rest % digits.length]
    rest = Math.floor(rest / digits.length)
    return digit
  }).join('')
}

/** Mistral refuses any other field with 422. https://docs.mistral.ai/api/ */
const knownFields: ReadonlySet<string> = new Set(
  wordsOf(`
    model messages temperature top_p max_tokens stream stop random_seed response_format tools tool_choice
    parallel_tool_calls presence_penalty frequency_penalty n prediction safe_prompt prompt_mode
    reasoning_effort
  `),
)

const embeddingFields: ReadonlySet<string> = new Set(
  wordsOf('model input encoding_format output_dimension output_dtype metadata'),
)

function unknownRemoved({ body }: RequestText, known: ReadonlySet<string>): JsonEdits {
  return new Map(Object.keys(body).flatMap((name) => (known.has(name) ? [] : [[name, undefined]])))
}

const messageFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['assistant', ['role', 'content', 'tool_calls', 'prefix']],
  ['tool', ['role', 'content', 'tool_call_id', 'name']],
])
const plainFields: readonly string[] = ['role', 'content']

const knownMessageFields: MessageEdit = (message) => {
  const known = messageFields.get(message.role) ?? plainFields
  return omitMembers(
    message,
    Object.keys(message).filter((name) => !known.includes(name)),
  )
}

/** The model writes on where a response of its own is the last message, which has to be said. */
const lastAsPrefix: MessageEdit = (message, place, all) =>
  message.role === 'assistant' && place === all.length - 1 && message.prefix === undefined
    ? { ...message, prefix: true }
    : message

/** An image is named by its address alone. */
const plainImages: MessageEdit = (message) => {
  const content = listOf(message.content)
  const isWrapped = (part: unknown) => typeof objectOf(objectOf(part).image_url).url === 'string'
  if (!content.some(isWrapped)) return message
  const plain = (part: unknown) =>
    isWrapped(part) ? { type: 'image_url', image_url: objectOf(objectOf(part).image_url).url } : part
  return { ...message, content: content.map(plain) }
}

/** Mistral's call ids have nine characters; other vendors' ids are mapped to that form, the same way everywhere. */
const ownCallIds: MessageEdit = (message) => {
  const { tool_calls: calls, tool_call_id: responded } = message
  if (typeof responded === 'string') return withValue(message, 'tool_call_id', mistralCallId(responded))
  if (listOf(calls).every((call) => isOwnId(objectOf(call).id))) return message
  return { ...message, tool_calls: listOf(calls).map(withOwnId) }
}

function isOwnId(id: unknown): boolean {
  return typeof id !== 'string' || mistralCallId(id) === id
}

function withOwnId(call: unknown): unknown {
  const { id } = objectOf(call)
  return typeof id === 'string' ? withValue(objectOf(call), 'id', mistralCallId(id)) : call
}

function withValue(object: JsonObject, name: string, value: unknown): JsonObject {
  return object[name] === value ? object : { ...object, [name]: value }
}

const messageEdits = composeEdits(
  knownMessageFields,
  developerAsSystem,
  lastAsPrefix,
  plainImages,
  ownCallIds,
)

/** OpenAI's names become Mistral's own, and what it has no name for is left out. */
export const mistralFields: RequestQuirks = (request) => {
  if (request.body.messages === undefined)
    return mergeEdits(
      unknownRemoved(request, embeddingFields),
      renameField(request, 'dimensions', 'output_dimension'),
    )
  return mergeEdits(
    unknownRemoved(request, knownFields),
    renameField(request, 'seed', 'random_seed'),
    renameField(request, 'max_completion_tokens', 'max_tokens'),
    request.body.tool_choice === 'required' ? new Map([['tool_choice', '"any"']]) : noEdits,
    editMessages(request, messageEdits),
  )
}
