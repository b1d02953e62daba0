import {
  compactionTrigger,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseExactJson,
  SseScanner,
  textOf,
} from '@tollgate/formats'

/** The stored part of a call of the Responses API: its input and its response. */
export interface StoredExchange {
  /** Items of this call alone, without the conversation that it continues. */
  readonly input: readonly JsonObject[]
  /** The response as its caller received it. */
  readonly response: JsonObject
}

/** Reads a caller's `input` as items; a text becomes one message of the user. */
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

/** Longer than the ids of every vendor. */
export const maxIdLength = 128

/** The items of a call with their ids; an item without one gets an id of its response and its place. */
export function listedInput({ input, response }: StoredExchange): readonly JsonObject[] {
  return input.map((item, index) => {
    const listed = { type: 'message', ...item }
    const id = textOf(item.id) || `${prefixes[listed.type] ?? 'item'}_${textOf(response.id)}_i${index}`
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

/** The id of the response whose input holds the item; `undefined` for an id from elsewhere. */
export function responseOfInputItem(itemId: string): string | undefined {
  return inputId.exec(itemId)?.[1]
}

/** One item of an exchange, by its id. */
export function itemIn(exchange: StoredExchange, id: string): JsonObject | undefined {
  const found = [...outputOf(exchange), ...listedInput(exchange)].find((item) => item.id === id)
  return found === undefined ? undefined : sendable(found)[0]
}

/**
 * Returns the items that an exchange adds to a conversation, in a form that every upstream accepts. A signal to compact it held for that
 * call alone.
 */
export function conversationItems(exchange: StoredExchange): readonly JsonObject[] {
  const input = exchange.input.filter(({ type }) => type !== compactionTrigger)
  return [...input, ...outputOf(exchange).flatMap(sendable)]
}

/** Items whose ids an upstream would look up in its own store; upstreams understand them without ids, too. */
const knownWithoutId: ReadonlySet<unknown> = new Set([
  'message',
  'function_call',
  'custom_tool_call',
  'function_call_output',
  'custom_tool_call_output',
])

/**
 * An output item as input. Leaves out reasoning that consists of an id alone: only the upstream that stores it can read it.
 */
function sendable(item: JsonObject): readonly JsonObject[] {
  if (item.type === 'reasoning') return textOf(item.encrypted_content) === '' ? [] : [item]
  if (!knownWithoutId.has(item.type)) return [item]
  const { id: _id, ...rest } = item
  return [rest]
}

const utf8 = new TextDecoder()

/** Finds the complete response in the events that end a stream of the Responses API; `undefined` when they lack it. */
export function responseOfStream(lastEvents: string): JsonObject | undefined {
  const scanner = new SseScanner(lastEvents.length * 4 + 1)
  const frames = [...scanner.push(Buffer.from(lastEvents)), ...scanner.end()]
  for (const { data } of frames) {
    if (data === undefined) continue
    const { response } = objectOf(parseExactJson(utf8.decode(data)))
    if (isObject(response) && Array.isArray(response.output)) return response
  }
  return undefined
}
