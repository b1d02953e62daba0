import {
  type ChatPart,
  eventObject,
  expectMembers,
  isObject,
  type JsonObject,
  objectOf,
  outputToolName,
  type StreamDecoder,
  textOf,
} from '@tollgate/formats'
import { decodeError } from '../error.ts'
import { readCitation } from './citation.ts'
import { stopReasonOf } from './stop.ts'
import { readUsage } from './usage.ts'

interface DecodeState {
  started: boolean
  /** Calls of tools whose block is open, by the block's index. */
  readonly calls: Map<number, OpenCall>
  callCount: number
  /** Open block of the tool that stands for an answer in JSON. */
  responseBlock: number | undefined
  stopped: boolean
  /** The counts have come: mostly last, but some models send them before the end. */
  counted: boolean
}

interface OpenCall {
  readonly call: number
  said: boolean
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
  finish: (state) => [...state.calls.keys()].flatMap((index) => endCall(state, index)),
}

type Handler = (state: DecodeState, payload: JsonObject) => readonly ChatPart[]

const nothing: readonly never[] = []
const candidate = 0
const open: ChatPart = { type: 'open', candidate }
/** The answer has neither an id nor the name of its model. */
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
    const ends = [...state.calls.keys()].flatMap((index) => endCall(state, index))
    return [...ends, { type: 'stop', candidate, stop: { reason } }, ...end(state)]
  },
  metadata(state, payload) {
    const usage = readUsage(payload.usage)
    state.counted = true
    return [...(usage === undefined ? nothing : [{ type: 'usage', usage } as const]), ...end(state)]
  },
}

/** There is no end mark: the answer is over when it has told why it ended and what it cost. */
function end({ stopped, counted }: DecodeState): readonly ChatPart[] {
  return stopped && counted ? [{ type: 'end' }] : nothing
}

function startCall(state: DecodeState, { toolUseId, name }: JsonObject, index: number): readonly ChatPart[] {
  if (name === outputToolName) {
    state.responseBlock = index
    return nothing
  }
  const call = state.callCount++
  state.calls.set(index, { call, said: false })
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
  call.said = true
  return [{ type: 'tool-call-delta', candidate, call: call.call, arguments: text }]
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

/** A call without a word of arguments has none: `{}`. */
function endCall(state: DecodeState, index: number): readonly ChatPart[] {
  const open = state.calls.get(index)
  if (open === undefined) return nothing
  state.calls.delete(index)
  const end: ChatPart = { type: 'tool-call-end', candidate, call: open.call }
  return open.said ? [end] : [{ type: 'tool-call-delta', candidate, call: open.call, arguments: '{}' }, end]
}

/** Exceptions are told by the framing; what poses as an event of another name is one, too, if it says what went wrong. */
function isFailure(event: string, payload: JsonObject): boolean {
  return event.endsWith('Exception') || (event === '' && typeof payload.message === 'string')
}

function failure(body: string): ChatPart {
  return { type: 'error', error: decodeError({ status: 200, headers: {}, body }) }
}

function indexOf({ contentBlockIndex }: JsonObject): number {
  return typeof contentBlockIndex === 'number' ? contentBlockIndex : 0
}
