import {
  type AssistantPart,
  type ChatPart,
  type Citation,
  countOf,
  type DecodedResponse,
  decodeErrorBody,
  eventObject,
  expectMembers,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  promptTokensOf,
  type StopReason,
  type StreamDecoder,
  textOf,
  type UpstreamCodec,
  type UpstreamErrorInfo,
  type UpstreamFailure,
  type Usage,
  usageOf,
} from '@tollgate/formats'
import { encodeRequest } from './encode-request.ts'

/**
 * The pages behind a passage: sources with an address, documents as well as tool results. Other sources are the caller's
 * own and have no address.
 */
function readCitations(value: unknown): readonly Citation[] {
  const { text, sources } = objectOf(value)
  return listOf(sources).flatMap((source) => {
    const { document, tool_output } = objectOf(source)
    const { url, title } = { ...objectOf(tool_output), ...objectOf(document) }
    return textOf(url) === '' ? [] : [{ url: textOf(url), title: textOf(title), text: textOf(text) }]
  })
}

const reasons: Readonly<Record<string, StopReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool-calls',
}

/** Treats an unknown reason as a normal stop. */
function stopReasonOf(reason: string): StopReason {
  return Object.hasOwn(reasons, reason) ? (reasons[reason] ?? 'stop') : 'stop'
}

/** Cohere gave up: its text so far is not a complete response. */
function isFailedEnd(reason: string): boolean {
  return reason === 'ERROR' || reason === 'TIMEOUT'
}

/**
 * The units that Cohere bills: they leave out its own instructions around a prompt, which its price list does not count
 * and which are many times a short prompt. Without units, the tokens count, of which the cached ones are a part.
 * `undefined` without both. https://docs.cohere.com/docs/how-does-cohere-pricing-work
 */
function readUsage(raw: unknown): Usage | undefined {
  const { tokens, billed_units, cached_tokens } = objectOf(raw)
  const isBilled = isObject(billed_units) && countOf(billed_units.input_tokens) !== undefined
  const counts = objectOf(isBilled ? billed_units : tokens)
  const input = countOf(counts.input_tokens) ?? 0
  const cached = isBilled ? 0 : Math.min(countOf(cached_tokens) ?? 0, input)
  const usage = usageOf({
    inputTokens: input - cached,
    cacheReadTokens: cached,
    outputTokens: countOf(counts.output_tokens) ?? 0,
  })
  // A prompt has at least one token: 0 means that the upstream did not count.
  return promptTokensOf(usage) === 0 ? undefined : usage
}

/** Reads a 2xx response; an error in it, or what holds no message, is a failure. Never throws. */
function decodeResponse(body: unknown): DecodedResponse {
  const { id, message, finish_reason, usage } = objectOf(body)
  const stated = objectOf(message)
  const reason = textOf(finish_reason)
  if (stated.role !== 'assistant' || isFailedEnd(reason)) return { ok: false, error: failureIn(body, reason) }
  const citations = listOf(stated.citations).flatMap(readCitations)
  const candidate = {
    index: 0,
    parts: partsOf(stated),
    stop: { reason: stopReasonOf(reason) },
    ...(citations.length > 0 && { citations }),
  }
  const response = {
    id: textOf(id),
    model: '',
    createdAt: 0,
    candidates: [candidate],
    usage: readUsage(usage),
  }
  return { ok: true, response }
}

function failureIn(body: unknown, reason: string) {
  const text = isFailedEnd(reason) ? endedWith(reason) : JSON.stringify(body)
  return decodeErrorBody({ status: 200, headers: {}, body: text ?? '' })
}

/** A response that the service broke off by itself names no error, only its end. */
function endedWith(reason: string): string {
  return JSON.stringify({ message: `the upstream ended its response with "${reason}"` })
}

/** Returns the parts of a message: the plan for its tools is the model's reasoning before it calls them. */
function partsOf({ content, tool_plan, tool_calls }: JsonObject): readonly AssistantPart[] {
  const plan = textOf(tool_plan)
  const spoken =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(objectOf)
  return [
    ...(plan === '' ? [] : [{ type: 'reasoning', text: plan } as const]),
    ...spoken.flatMap(partOf),
    ...listOf(tool_calls).map((call) => callOf(objectOf(call))),
  ]
}

function partOf({ type, text, thinking }: JsonObject): readonly AssistantPart[] {
  if (type === 'thinking')
    return textOf(thinking) === '' ? [] : [{ type: 'reasoning', text: textOf(thinking) }]
  return textOf(text) === '' ? [] : [{ type: 'text', text: textOf(text) }]
}

function callOf(call: JsonObject): AssistantPart {
  const { name, arguments: provided } = objectOf(call.function)
  return {
    type: 'tool-call',
    id: textOf(call.id),
    name: textOf(name),
    arguments: textOf(provided),
  }
}

interface DecodeState {
  /** Numbers of calls whose end has not come, by the index of the event. */
  readonly calls: Map<number, number>
  callCount: number
  ended: boolean
}

/** https://docs.cohere.com/docs/streaming#chat-streaming */
const decodeStream: StreamDecoder<DecodeState> = {
  start: () => ({ calls: new Map(), callCount: 0, ended: false }),
  step(state, frame) {
    if (state.ended) return nothing
    const event = eventObject(frame.data)
    expectMembers(event, { delta: 'object' })
    const type = textOf(event.type) || frame.event
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined
    if (handler !== undefined) return handler(state, event)
    // What has no type and says something is a refusal.
    return type === '' && textOf(event.message) !== '' ? [failed(state, frame.data)] : nothing
  },
  finish: () => nothing,
}

type Handler = (state: DecodeState, event: JsonObject) => readonly ChatPart[]

const nothing: readonly never[] = []
const candidate = 0
const open: ChatPart = { type: 'open', candidate }

const handlers: Readonly<Record<string, Handler>> = {
  'message-start': (_state, { id }) => [{ type: 'start', id: textOf(id), model: '', createdAt: 0 }, open],
  'content-start': (_state, event) => contentParts(messageIn(event)),
  'content-delta': (_state, event) => contentParts(messageIn(event)),
  'tool-plan-delta': (_state, event) => thought(textOf(messageIn(event).tool_plan)),
  'tool-call-start': (state, event) =>
    startCall(state, objectOf(messageIn(event).tool_calls), indexOf(event)),
  'tool-call-delta': (state, event) =>
    callDelta(state, argumentsIn(messageIn(event).tool_calls), indexOf(event)),
  'tool-call-end': (state, event) => endCall(state, indexOf(event)),
  'citation-start': (_state, event) =>
    readCitations(messageIn(event).citations).map((citation) => ({ type: 'citation', candidate, citation })),
  'message-end': (state, event) => endMessage(state, objectOf(event.delta)),
}

function messageIn({ delta }: JsonObject): JsonObject {
  return objectOf(objectOf(delta).message)
}

function contentParts({ content }: JsonObject): readonly ChatPart[] {
  expectMembers(objectOf(content), { text: 'text', thinking: 'text' })
  const { text, thinking } = objectOf(content)
  const words: readonly ChatPart[] =
    textOf(text) === '' ? nothing : [{ type: 'text-delta', candidate, text: textOf(text) }]
  return [...thought(textOf(thinking)), ...words]
}

function thought(text: string): readonly ChatPart[] {
  return text === '' ? nothing : [{ type: 'reasoning-delta', candidate, text }]
}

function startCall(state: DecodeState, call: JsonObject, index: number): readonly ChatPart[] {
  const { name } = objectOf(call.function)
  const number = state.callCount++
  state.calls.set(index, number)
  const id = textOf(call.id)
  const start: ChatPart = { type: 'tool-call-start', candidate, call: number, id, name: textOf(name) }
  return [start, ...callDelta(state, argumentsIn(call), index)]
}

function argumentsIn(call: unknown): string {
  return textOf(objectOf(objectOf(call).function).arguments)
}

function callDelta(state: DecodeState, text: string, index: number): readonly ChatPart[] {
  const call = state.calls.get(index)
  return call === undefined || text === ''
    ? nothing
    : [{ type: 'tool-call-delta', candidate, call, arguments: text }]
}

function endCall(state: DecodeState, index: number): readonly ChatPart[] {
  const call = state.calls.get(index)
  if (call === undefined) return nothing
  state.calls.delete(index)
  return [{ type: 'tool-call-end', candidate, call }]
}

function endMessage(
  state: DecodeState,
  { finish_reason, error, usage: raw }: JsonObject,
): readonly ChatPart[] {
  const reason = textOf(finish_reason)
  if (isFailedEnd(reason)) {
    const stated = textOf(error)
    return [failed(state, stated === '' ? endedWith(reason) : JSON.stringify({ message: stated }))]
  }
  state.ended = true
  const usage = readUsage(raw)
  return [
    { type: 'stop', candidate, stop: { reason: stopReasonOf(reason) } },
    ...(usage === undefined ? nothing : [{ type: 'usage', usage } as const]),
    { type: 'end' },
  ]
}

function failed(state: DecodeState, body: string): ChatPart {
  state.ended = true
  return { type: 'error', error: decodeErrorBody({ status: 200, headers: {}, body }) }
}

function indexOf({ index }: JsonObject): number {
  return numberOf(index) ?? 0
}

/** Cohere's chat, version 2. https://docs.cohere.com/reference/chat */
export function cohereChat(safety: string): UpstreamCodec {
  return {
    format: 'cohere-chat',
    encodeRequest: (request, target) => encodeRequest(request, target, safety),
    decodeResponse,
    decodeStream,
    decodeError,
  }
}

/** Cohere's own status for an invalid token. https://docs.cohere.com/reference/errors */
const badToken = 498

/** Reads a refusal, or a failure inside of a response. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const info = decodeErrorBody(failure)
  if (failure.status === badToken) return { ...info, kind: 'unauthorized' }
  return /^(invalid|missing|no) api (token|key)/i.test(info.message)
    ? { ...info, kind: 'unauthorized' }
    : info
}
