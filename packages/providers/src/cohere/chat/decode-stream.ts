import {
  type ChatPart,
  decodeErrorBody,
  eventObject,
  expectMembers,
  type JsonObject,
  objectOf,
  type StreamDecoder,
  textOf,
} from '@tollgate/formats'
import { readCitations } from './citation.ts'
import { argumentsText, endedWith } from './decode-response.ts'
import { isFailedEnd, stopReasonOf } from './stop.ts'
import { readUsage } from './usage.ts'

interface DecodeState {
  /** Calls whose end has not come, by the index of the event. */
  readonly calls: Map<number, OpenCall>
  callCount: number
  ended: boolean
}

interface OpenCall {
  readonly call: number
  /** Arguments that may still be the `null` of a tool without any. */
  held: string
  said: boolean
}

/** https://docs.cohere.com/docs/streaming#chat-streaming */
export const decodeStream: StreamDecoder<DecodeState> = {
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
  finish: (state) => [...state.calls.keys()].flatMap((index) => endCall(state, index)),
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
  const opened: OpenCall = { call: state.callCount++, held: '', said: false }
  state.calls.set(index, opened)
  const start: ChatPart = {
    type: 'tool-call-start',
    candidate,
    call: opened.call,
    id: textOf(call.id),
    name: textOf(name),
  }
  return [start, ...callDelta(state, argumentsIn(call), index)]
}

function argumentsIn(call: unknown): string {
  return textOf(objectOf(objectOf(call).function).arguments)
}

function callDelta(state: DecodeState, text: string, index: number): readonly ChatPart[] {
  const open = state.calls.get(index)
  if (open === undefined || text === '') return nothing
  open.held += text
  if (!open.said && 'null'.startsWith(open.held.trim())) return nothing
  return [sayArguments(open)]
}

function sayArguments(open: OpenCall): ChatPart {
  const text = open.held
  open.held = ''
  open.said = true
  return { type: 'tool-call-delta', candidate, call: open.call, arguments: text }
}

function endCall(state: DecodeState, index: number): readonly ChatPart[] {
  const open = state.calls.get(index)
  if (open === undefined) return nothing
  state.calls.delete(index)
  const end: ChatPart = { type: 'tool-call-end', candidate, call: open.call }
  if (open.said) return [end]
  open.held = argumentsText(open.held)
  return [sayArguments(open), end]
}

function endMessage(
  state: DecodeState,
  { finish_reason, error, usage: raw }: JsonObject,
): readonly ChatPart[] {
  const reason = textOf(finish_reason)
  const ends = [...state.calls.keys()].flatMap((index) => endCall(state, index))
  if (isFailedEnd(reason)) {
    const said = textOf(error)
    return [...ends, failed(state, said === '' ? endedWith(reason) : JSON.stringify({ message: said }))]
  }
  state.ended = true
  const usage = readUsage(raw)
  return [
    ...ends,
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
  return typeof index === 'number' ? index : 0
}
