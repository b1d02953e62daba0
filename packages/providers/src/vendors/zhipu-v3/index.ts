import {
  type ChatRequest,
  decodeErrorBody,
  type EncodedRequest,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseJson,
  provided,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
  unsupported,
} from '@tollgate/formats'
import { chunkCodec } from '../../chat/chunk-codec.ts'
import { asTexts, conversationOf, type TextItem } from '../../chat/conversation.ts'
import { droppedOptions, type Option, planTools, within } from '../../chat/dropped-options.ts'
import { chatOperation, type ProviderShape } from '../../define-provider.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import { zhipuCodes, zhipuToken } from '../../families/zhipu.ts'

const takes: ReadonlySet<Option> = new Set<Option>(['temperature', 'top_p'])
/** Both ends of the interval are refused. */
const min = 0.01
const max = 0.99

/**
 * The request in the format of the older API; the address holds the model and whether to stream. It has no output limit, no
 * tools and no role for instructions, which become a user's message with an acknowledgement.
 * @throws RequestFault for a field that it cannot express and whose loss would change the response
 */
function encodeRequest(request: ChatRequest): EncodedRequest {
  const dropped = droppedOptions(request, 'provider:zhipu-v3', takes)
  if (planTools(request, dropped).tools.length > 0) throw unsupported('tools', 'the model calls no tools')
  const { system, items } = conversationOf(request.messages, { images: false })
  const { temperature, topP } = request.sampling
  const prompt = [...(system === '' ? [] : acknowledged(system)), ...asTexts(items)]
  const body = {
    prompt: prompt.map(({ role, text }) => ({ role, content: text })),
    ...provided('temperature', within(temperature, min, max)),
    ...provided('top_p', within(topP, min, max)),
  }
  return { body, dropped: [...dropped] }
}

function acknowledged(system: string): readonly TextItem[] {
  return [
    { type: 'text', role: 'user', text: system },
    { type: 'text', role: 'assistant', text: 'Okay.' },
  ]
}

/** Names of events; every other one adds text. */
const endings: Readonly<Record<string, string>> = { finish: 'stop', interrupted: 'content_filter' }

/** Returns an event's name, which may have a space before it. */
function nameOf({ event }: JsonObject): string {
  return textOf(event).trim()
}

/** Buffered responses say whether they are one; events that fail have a name for it. */
function isFailure(event: JsonObject): boolean {
  return event.success === false || nameOf(event) === 'error' || (isBuffered(event) && !isObject(event.data))
}

function isBuffered(event: JsonObject): boolean {
  return typeof event.data !== 'string'
}

function isLast(event: JsonObject): boolean {
  return isBuffered(event) || finishOf(event) !== undefined
}

/** The reason of an event; `undefined` when the bytes end inside its last field. */
function finishOf(event: JsonObject): string | undefined {
  const isCut = typeof event.meta === 'string' && parseJson(event.meta) === undefined
  return isCut ? undefined : endings[nameOf(event)]
}

function chunkOf(event: JsonObject): JsonObject {
  return isBuffered(event) ? bufferedChunk(objectOf(event.data)) : eventChunk(event)
}

function bufferedChunk({ task_id: id, choices, usage }: JsonObject): JsonObject {
  const all = listOf(choices)
  return {
    id,
    choices: all.slice(-1).map((choice) => ({
      index: 0,
      delta: { content: unquoted(textOf(objectOf(choice).content)) },
      finish_reason: 'stop',
    })),
    usage,
  }
}

/** Returns the chunk of an event, whose `meta` field holds what follows the text. */
function eventChunk(event: JsonObject): JsonObject {
  const meta = parseJson(textOf(event.meta))
  return {
    id: textOf(event.id).trim(),
    choices: [{ index: 0, delta: { content: event.data }, finish_reason: finishOf(event) ?? null }],
    usage: objectOf(meta).usage,
  }
}

/** Removes the quotes around texts of buffered responses, which are JSON or nearly so. */
function unquoted(content: string): string {
  const parsed = parseJson(content)
  if (typeof parsed === 'string') return parsed
  return /^\s*".*"\s*$/s.test(content) ? content.trim().slice(1, -1) : content
}

const codec = chunkCodec({
  format: 'provider:zhipu-v3',
  encodeRequest,
  decodeError,
  chunkOf,
  isFailure,
  isLast,
})

const chat = chatOperation({
  codec,
  framing: 'sse-fields',
  endpoint({ baseUrl, upstreamModel }, { stream }) {
    const path = `/${pathSegment(upstreamModel)}/${stream ? 'sse-invoke' : 'invoke'}`
    return { url: endpointUrl(baseUrl, '/api/paas/v3/model-api', path), headers: {} }
  },
})

/** An event that fails says so in its text, which may be an error as JSON. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const { event, data } = objectOf(parseJson(failure.body))
  const text = textOf(data)
  if (typeof event !== 'string' || text === '') return decodeErrorBody(failure, zhipuCodes)
  const body = typeof parseJson(text) === 'object' ? text : JSON.stringify({ message: text.trim() })
  return decodeErrorBody({ ...failure, body }, zhipuCodes)
}

/** API v3 of Zhipu: retired at its vendor, alive in private deployments. */
export const zhipuV3: ProviderShape = {
  credential: {
    kind: 'signed',
    sign: (request, { key }, tools) => ({
      ...request,
      headers: { ...request.headers, authorization: zhipuToken(key, tools) },
    }),
  },
  modes: ['chat'],
  operation: (mode) => (mode === 'chat' ? chat : undefined),
  decodeError,
}
