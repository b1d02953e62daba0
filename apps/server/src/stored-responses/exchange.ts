import { isObject, type JsonObject, listOf, objectOf, parseJson, SseScanner, textOf } from '@tollgate/formats'

/** One answer with what it was asked: what is kept of a call of the Responses API. */
export interface StoredExchange {
  /** Items of the call alone, without those that it went on from. */
  readonly input: readonly JsonObject[]
  /** The answer as its caller got it. */
  readonly response: JsonObject
}

/** What a caller sends as `input`, as items; a text is what the user says. */
export function itemsOf(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  return listOf(input).filter(isObject)
}

function outputOf({ response }: StoredExchange): readonly JsonObject[] {
  return listOf(response.output).filter(isObject)
}

/** Ids of the items of an output, as other calls may refer to them. */
export function outputIdsOf(exchange: StoredExchange): readonly string[] {
  return outputOf(exchange)
    .map(({ id }) => textOf(id))
    .filter((id) => id !== '' && id.length <= maxIdLength)
}

/** No vendor has longer ids. */
export const maxIdLength = 128

/** The items of a call with their ids: those without one are named after the answer and their place. */
export function listedInput({ input, response }: StoredExchange): readonly JsonObject[] {
  return input.map((item, place) => {
    const listed = { type: 'message', ...item }
    const id = textOf(item.id) || `${prefixes[listed.type] ?? 'item'}_${textOf(response.id)}_i${place}`
    return { ...listed, id, ...(listed.type === 'message' && { content: listedContent(item.content) }) }
  })
}

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  custom_tool_call: 'ctc',
  custom_tool_call_output: 'cto',
  reasoning: 'rs',
}

function listedContent(content: unknown): unknown {
  return typeof content === 'string' ? [{ type: 'input_text', text: content }] : content
}

const inputId = /^[a-z]+_(.+)_i\d+$/

/** The answer whose input holds an item of such an id; `undefined` for an id that was not made here. */
export function responseOfInputItem(itemId: string): string | undefined {
  return inputId.exec(itemId)?.[1]
}

/** One item of an exchange, by its id. */
export function itemIn(exchange: StoredExchange, id: string): JsonObject | undefined {
  const found = [...outputOf(exchange), ...listedInput(exchange)].find((item) => item.id === id)
  return found === undefined ? undefined : sendable(found)[0]
}

/** What an exchange adds to a conversation, as any upstream can be sent it. */
export function conversationItems(exchange: StoredExchange): readonly JsonObject[] {
  return [...exchange.input, ...outputOf(exchange).flatMap(sendable)]
}

/** Items whose ids an upstream would look for among what it keeps itself; they are understood without one, too. */
const knownWithoutId: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'custom_tool_call',
  'function_call_output',
  'custom_tool_call_output',
])

/**
 * An item of an output as input. Thoughts of which only an id is there are at the upstream that had them, and nobody else
 * can read them.
 */
function sendable(item: JsonObject): readonly JsonObject[] {
  if (item.type === 'reasoning') return textOf(item.encrypted_content) === '' ? [] : [item]
  if (!knownWithoutId.has(item.type)) return [item]
  const { id: _id, ...rest } = item
  return [rest]
}

const utf8 = new TextDecoder()

/** The complete response in the events that end a stream of the Responses API; `undefined` when they hold none. */
export function responseOfStream(lastEvents: string): JsonObject | undefined {
  const scanner = new SseScanner(lastEvents.length * 4 + 1)
  const frames = [...scanner.push(Buffer.from(lastEvents)), ...scanner.end()]
  for (const { data } of frames) {
    if (data === undefined) continue
    const { response } = objectOf(parseJson(utf8.decode(data)))
    if (isObject(response) && Array.isArray(response.output)) return response
  }
  return undefined
}
