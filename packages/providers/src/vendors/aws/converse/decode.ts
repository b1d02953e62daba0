import {
  type AssistantPart,
  type ChatPart,
  type Citation,
  countOf,
  type DecodedResponse,
  eventObject,
  expectMembers,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  outputToolName,
  promptTokensOf,
  type ReasoningPart,
  type StopReason,
  type StreamDecoder,
  textOf,
  type Usage,
  unfinished,
  usageOf,
} from '@tollgate/formats'
import { decodeError } from '../endpoint.ts'

/** A page of the web that a response rests on; `undefined` for places in the caller's own documents. */
function readCitation(value: unknown): Citation | undefined {
  const citation = objectOf(value)
  const url = textOf(objectOf(objectOf(citation.location).web).url)
  if (url === '') return undefined
  const text = listOf(citation.sourceContent)
    .map((piece) => textOf(objectOf(piece).text))
    .join('')
  return { url, title: textOf(citation.title), text }
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#bedrock-runtime_Converse-response-stopReason */
const reasons: Readonly<Record<string, StopReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  guardrail_intervened: 'content-filter',
  content_filtered: 'content-filter',
}

/**
 * Treats an unknown reason as a normal stop.
 * @param calls number of tool calls, without the tool that carries a response in JSON
 */
function stopReasonOf(reason: string, calls: number): StopReason {
  const known = Object.hasOwn(reasons, reason) ? (reasons[reason] ?? 'stop') : 'stop'
  return known === 'tool-calls' && calls === 0 ? 'stop' : known
}

/** Converts the counts to ours: `inputTokens` excludes cache reads and writes there, too. `undefined` without counts. */
function readUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const written = countOf(raw.cacheWriteInputTokens) ?? 0
  const oneHour = Math.min(writtenForAnHour(raw.cacheDetails), written)
  const usage = usageOf({
    inputTokens: countOf(raw.inputTokens) ?? 0,
    cacheReadTokens: countOf(raw.cacheReadInputTokens) ?? 0,
    cacheWriteTokens: written - oneHour,
    cacheWrite1hTokens: oneHour,
    outputTokens: countOf(raw.outputTokens) ?? 0,
  })
  // A prompt has at least one token: 0 means that the upstream did not count.
  return promptTokensOf(usage) === 0 ? undefined : usage
}

function writtenForAnHour(details: unknown): number {
  const longer = listOf(details)
    .map(objectOf)
    .filter(({ ttl }) => ttl === '1h')
  return longer.reduce((sum, { inputTokens }) => sum + (countOf(inputTokens) ?? 0), 0)
}

/** Reads a 2xx response; what holds no message is a failure. Never throws. */
export function decodeResponse(body: unknown): DecodedResponse {
  const response = objectOf(body)
  const message = objectOf(objectOf(response.output).message)
  if (!Array.isArray(message.content))
    return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(body) ?? '' }) }
  const blocks = message.content.map(objectOf)
  const parts = withCutCall(blocks.flatMap(partsOf), response.stopReason)
  const citations = blocks.flatMap(citationsOf)
  const calls = parts.filter(({ type }) => type === 'tool-call').length
  const candidate = {
    index: 0,
    parts,
    stop: { reason: stopReasonOf(textOf(response.stopReason), calls) },
    ...(citations.length > 0 && { citations }),
  }
  const usage = readUsage(response.usage)
  return { ok: true, response: { id: '', model: '', createdAt: 0, candidates: [candidate], usage } }
}

/** The input of a call that the limit cut is an object nevertheless, with what came of it: it counts as text that ends within. */
function withCutCall(parts: readonly AssistantPart[], stopReason: unknown): readonly AssistantPart[] {
  const last = parts.at(-1)
  if (stopReason !== 'max_tokens' || last?.type !== 'tool-call') return parts
  return parts.with(-1, { ...last, arguments: unfinished(last.arguments) })
}

function partsOf(block: JsonObject): readonly AssistantPart[] {
  if (typeof block.text === 'string') return textPart(block.text)
  if (block.toolUse !== undefined) return [callOf(objectOf(block.toolUse))]
  if (block.reasoningContent !== undefined) return [reasoningOf(objectOf(block.reasoningContent))]
  const cited = listOf(objectOf(block.citationsContent).content)
  return textPart(cited.map((piece) => textOf(objectOf(piece).text)).join(''))
}

function textPart(text: string): readonly AssistantPart[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function callOf({ toolUseId, name, input }: JsonObject): AssistantPart {
  const text = JSON.stringify(input ?? {})
  if (name === outputToolName) return { type: 'text', text }
  return { type: 'tool-call', id: textOf(toolUseId), name: textOf(name), arguments: text }
}

function reasoningOf({ reasoningText, redactedContent }: JsonObject): ReasoningPart {
  const { text, signature } = objectOf(reasoningText)
  const proof = textOf(signature)
  const hidden = textOf(redactedContent)
  return {
    type: 'reasoning',
    text: textOf(text),
    ...(proof !== '' && { signature: { vendor: 'bedrock', value: proof } }),
    ...(hidden !== '' && { encrypted: { vendor: 'bedrock', value: hidden } }),
  }
}

function citationsOf(block: JsonObject): readonly Citation[] {
  return listOf(objectOf(block.citationsContent).citations).flatMap((item) => readCitation(item) ?? [])
}

interface DecodeState {
  started: boolean
  /** Numbers of calls of tools whose block is open, by the block's index. */
  readonly calls: Map<number, number>
  callCount: number
  /** Open block of the tool that carries a response in JSON. */
  responseBlock: number | undefined
  stopped: boolean
  /** The counts have come: mostly last, but some models send them before the end. */
  counted: boolean
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const decodeStream: StreamDecoder<DecodeState> = {
  start: () => ({
    started: false,
    calls: new Map(),
    callCount: 0,
    responseBlock: undefined,
    stopped: false,
    counted: false,
  }),
  step(state, { event, data }) {
    const payload = eventObject(data)
    expectMembers(payload, { start: 'object', delta: 'object' })
    expectMembers(objectOf(payload.delta), { text: 'text', toolUse: 'object', reasoningContent: 'object' })
    const handler = Object.hasOwn(handlers, event) ? handlers[event] : undefined
    if (handler === undefined) return isFailure(event, payload) ? [failure(data)] : nothing
    const opening = state.started ? nothing : start
    state.started = true
    return [...opening, ...handler(state, payload)]
  },
  finish: () => nothing,
}

type Handler = (state: DecodeState, payload: JsonObject) => readonly ChatPart[]

const nothing: readonly never[] = []
const candidate = 0
const open: ChatPart = { type: 'open', candidate }
/** The response has neither an id nor the name of its model. */
const start: readonly ChatPart[] = [{ type: 'start', id: '', model: '', createdAt: 0 }, open]

const handlers: Readonly<Record<string, Handler>> = {
  messageStart: () => nothing,
  contentBlockStart(state, payload) {
    const { toolUse } = objectOf(payload.start)
    return isObject(toolUse) ? startCall(state, toolUse, indexOf(payload)) : nothing
  },
  contentBlockDelta: (state, payload) => readDelta(state, objectOf(payload.delta), indexOf(payload)),
  contentBlockStop(state, payload) {
    const index = indexOf(payload)
    if (state.responseBlock === index) state.responseBlock = undefined
    return endCall(state, index)
  },
  messageStop(state, { stopReason }) {
    if (state.stopped) return nothing
    state.stopped = true
    const reason = stopReasonOf(textOf(stopReason), state.callCount)
    return [{ type: 'stop', candidate, stop: { reason } }, ...end(state)]
  },
  metadata(state, payload) {
    const usage = readUsage(payload.usage)
    state.counted = true
    return [...(usage === undefined ? nothing : [{ type: 'usage', usage } as const]), ...end(state)]
  },
}

/** Ends a response after its stop reason and its usage, as the format has no end mark. */
function end({ stopped, counted }: DecodeState): readonly ChatPart[] {
  return stopped && counted ? [{ type: 'end' }] : nothing
}

function startCall(state: DecodeState, { toolUseId, name }: JsonObject, index: number): readonly ChatPart[] {
  if (name === outputToolName) {
    state.responseBlock = index
    return nothing
  }
  const call = state.callCount++
  state.calls.set(index, call)
  return [{ type: 'tool-call-start', candidate, call, id: textOf(toolUseId), name: textOf(name) }]
}

function readDelta(state: DecodeState, delta: JsonObject, index: number): readonly ChatPart[] {
  if (typeof delta.text === 'string') return textDelta(delta.text)
  if (isObject(delta.toolUse)) return callDelta(state, textOf(delta.toolUse.input), index)
  if (isObject(delta.reasoningContent)) return reasoningDelta(delta.reasoningContent)
  const citation = readCitation(delta.citation)
  return citation === undefined ? nothing : [{ type: 'citation', candidate, citation }]
}

function textDelta(text: string): readonly ChatPart[] {
  return text === '' ? nothing : [{ type: 'text-delta', candidate, text }]
}

function callDelta(state: DecodeState, text: string, index: number): readonly ChatPart[] {
  if (state.responseBlock === index) return textDelta(text)
  const call = state.calls.get(index)
  if (call === undefined || text === '') return nothing
  return [{ type: 'tool-call-delta', candidate, call, arguments: text }]
}

function reasoningDelta({ text, signature, redactedContent }: JsonObject): readonly ChatPart[] {
  const parts: ChatPart[] = []
  if (textOf(text) !== '') parts.push({ type: 'reasoning-delta', candidate, text: textOf(text) })
  if (textOf(signature) !== '')
    parts.push({
      type: 'reasoning-signature',
      candidate,
      signature: { vendor: 'bedrock', value: textOf(signature) },
    })
  if (textOf(redactedContent) !== '')
    parts.push({
      type: 'reasoning-encrypted',
      candidate,
      encrypted: { vendor: 'bedrock', value: textOf(redactedContent) },
    })
  return parts
}

function endCall(state: DecodeState, index: number): readonly ChatPart[] {
  const call = state.calls.get(index)
  if (call === undefined) return nothing
  state.calls.delete(index)
  return [{ type: 'tool-call-end', candidate, call }]
}

/** The framing marks exceptions; an event of another name that holds an error counts as one, too. */
function isFailure(event: string, payload: JsonObject): boolean {
  return event.endsWith('Exception') || (event === '' && typeof payload.message === 'string')
}

function failure(body: string): ChatPart {
  return { type: 'error', error: decodeError({ status: 200, headers: {}, body }) }
}

function indexOf({ contentBlockIndex }: JsonObject): number {
  return numberOf(contentBlockIndex) ?? 0
}
