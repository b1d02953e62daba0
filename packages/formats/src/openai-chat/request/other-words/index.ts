import { type JsonObject, listOf, objectOf, textOf } from '../../../json/value.ts'
import { isAbsent, unsupported } from '../../../requests/fields.ts'
import { hasOtherParts, ownMessages } from './messages.ts'
import { hasOtherTools, ownTools } from './tools.ts'

/**
 * A body of Chat Completions in this format's own words; `undefined` for one that is, as nearly all are. Cursor sends what it writes for
 * Responses to this address, and for models that it takes for Claude the tools and blocks of Anthropic's Messages; it reads chunks of
 * this format in return. https://forum.cursor.com/t/153019 · https://forum.cursor.com/t/159298 (2026-11-30)
 * See `ChatCodec.inOwnWords`.
 */
export function inOwnWords(outline: JsonObject, complete: () => JsonObject): JsonObject | undefined {
  const isResponses = isResponsesBody(outline)
  if (!isResponses && !hasOtherTools(outline) && !listOf(outline.messages).some(hasOtherParts))
    return undefined
  const body = isResponses ? fromResponses(complete()) : complete()
  return { ...body, messages: listOf(body.messages).flatMap(ownMessages), ...ownTools(body) }
}

/** Recognises a body of Responses: it has `input`, and no messages. */
function isResponsesBody({ messages, input }: JsonObject): boolean {
  return isAbsent(messages) && !isAbsent(input)
}

/** Fields that only Responses have, and that change nothing where the conversation is complete. */
const withoutEffect: ReadonlySet<string> = new Set(['store', 'include', 'truncation'])
/** Fields without which the conversation would be another one. */
const decisive = ['previous_response_id', 'conversation', 'prompt', 'background'] as const

/**
 * A body of Responses as one of Chat Completions, with what its messages hold as it stood.
 * @throws RequestFault for what Responses alone can say
 */
function fromResponses(body: JsonObject): JsonObject {
  const lost = decisive.find((name) => !isAbsent(body[name]) && body[name] !== false)
  if (lost !== undefined) throw unsupported(lost, 'it belongs to /v1/responses')
  const { input, instructions, max_output_tokens: limit, text, reasoning, ...more } = body
  const { format, verbosity } = objectOf(text)
  const { effort } = objectOf(reasoning)
  return {
    ...Object.fromEntries(Object.entries(more).filter(([name]) => !withoutEffect.has(name))),
    messages: [
      ...(textOf(instructions) === '' ? [] : [{ role: 'system', content: instructions }]),
      ...(typeof input === 'string' ? [{ role: 'user', content: input }] : messagesOf(input)),
    ],
    ...(!isAbsent(limit) && { max_completion_tokens: limit }),
    ...(!isAbsent(format) && { response_format: ownFormat(objectOf(format)) }),
    ...(!isAbsent(verbosity) && { verbosity }),
    ...(!isAbsent(effort) && { reasoning_effort: effort }),
  }
}

function ownFormat(format: JsonObject): JsonObject {
  const { type, ...schema } = format
  return type === 'json_schema' ? { type, json_schema: schema } : format
}

/**
 * Items as messages: a call is one with the text or the calls of the model before it, and results follow their calls, wherever they
 * stand between the items.
 */
function messagesOf(input: unknown): readonly JsonObject[] {
  const messages: JsonObject[] = []
  listOf(input).forEach((entry, index) => {
    addItem(messages, objectOf(entry), `input[${index}]`)
  })
  return messages
}

function addItem(messages: JsonObject[], item: JsonObject, param: string): void {
  const last = messages.length - 1
  const before = messages[last]?.role === 'assistant' ? messages[last] : undefined
  const call = ownCall(item)
  if (call !== undefined) {
    if (before === undefined) messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    else messages[last] = { ...before, tool_calls: [...listOf(before.tool_calls), call] }
    return
  }
  const message = messageOf(item, param)
  if (message === undefined) return
  if (message.role === 'tool') messages.splice(resultIndex(messages, message.tool_call_id), 0, message)
  // Some models speak after they have called: the call waits for its result all the same.
  else if (message.role === 'assistant' && before?.content === null)
    messages[last] = { ...before, content: message.content }
  else messages.push(message)
}

/** The position behind the message with the call and its results so far; the end where no message has the call. */
function resultIndex(messages: readonly JsonObject[], callId: unknown): number {
  const caller = messages.findLastIndex(({ tool_calls: calls }) =>
    listOf(calls).some((call) => objectOf(call).id === callId),
  )
  if (caller < 0) return messages.length
  const behind = messages.findIndex(({ role }, index) => index > caller && role !== 'tool')
  return behind < 0 ? messages.length : behind
}

function ownCall({ type, call_id: id, name, arguments: text, input }: JsonObject): JsonObject | undefined {
  if (type === 'function_call') return { id, type: 'function', function: { name, arguments: text } }
  return type === 'custom_tool_call' ? { id, type: 'custom', custom: { name, input } } : undefined
}

function messageOf(item: JsonObject, param: string): JsonObject | undefined {
  switch (item.type ?? 'message') {
    case 'message':
      return { role: item.role, content: item.content }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', tool_call_id: item.call_id, content: item.output }
    // Only its vendor can read it, through Responses.
    case 'reasoning':
      return undefined
    default:
      throw unsupported(`${param}.type`, 'it belongs to /v1/responses')
  }
}
