import type { Frame, StreamDecoder } from '../../canonical/codec.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { type EventShapes, eventObject, expectEvent } from '../../framing/event-shape.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../../json/value.ts'
import { textArguments } from '../../requests/custom-tools.ts'
import { argumentsText } from '../../streams/call-arguments.ts'
import { failureOf } from './error.ts'
import {
  callIdOf,
  type ItemReading,
  type ItemState,
  newItem,
  readAnnotation,
  readArguments,
  readContentPart,
  readItem,
  readProbabilities,
  readReasoningDelta,
  readRefusal,
  readText,
  startCall,
  unfinishedInput,
  unknownItem,
  unreceived,
} from './item-reading.ts'
import { decodeStop } from './stop.ts'
import { readUsage, toolThatRan, usageOfResponse } from './usage.ts'

/** State of a stream that is being read. */
export interface DecodeState extends ItemState {
  readonly items: Map<string, ItemReading>
  hasStarted: boolean
  /** Those of the response, as its first event repeats them. */
  tools: unknown
  /** See `StreamDecoder.start`. */
  readonly isForwarded: boolean
  /** The last response or an error has come: nothing behind it is read. */
  hasEnded: boolean
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const decodeStream: StreamDecoder<DecodeState> = {
  start: (isForwarded = false) => ({
    isForwarded,
    items: new Map(),
    callCount: 0,
    callIds: new Set(),
    hasRefusal: false,
    forCall: undefined,
    forText: undefined,
    reasoning: '',
    hasStarted: false,
    tools: undefined,
    hasEnded: false,
  }),
  step(state, frame) {
    if (state.hasEnded) return nothing
    const event = parseJson(frame.data)
    if (isFailure(event, frame)) {
      state.hasEnded = true
      return [{ type: 'error', error: failureOf(event ?? frame.data) }]
    }
    if (frame.data.trim() === '[DONE]') return nothing
    const readable = isObject(event) ? event : eventObject(frame.data)
    const type = textOf(readable.type) || frame.event
    if (!state.isForwarded) expectEvent(type, readable, shapes)
    const parts = (Object.hasOwn(handlers, type) ? handlers[type]?.(state, readable) : undefined) ?? nothing
    // Content between two reasoning parts separates them already.
    if (parts.some((part) => part.type !== 'reasoning-delta' && part.type !== 'open')) state.reasoning = ''
    return parts
  },
  finish: ({ items }) => [...items.values()].flatMap(unfinishedInput),
}

const nothing: readonly never[] = []
const response = { response: 'object' } as const
const item = { item: 'object' } as const
const delta = { delta: 'text' } as const
/** Deltas of other events are objects, too: those of a shell's output, for one. */
const shapes: EventShapes = {
  'response.created': response,
  'response.in_progress': response,
  'response.completed': response,
  'response.incomplete': response,
  'response.output_item.added': item,
  'response.output_item.done': item,
  'response.content_part.done': { part: 'object' },
  'response.output_text.delta': delta,
  'response.refusal.delta': delta,
  'response.reasoning_summary_text.delta': delta,
  'response.reasoning_text.delta': delta,
  'response.function_call_arguments.delta': delta,
  'response.custom_tool_call_input.delta': delta,
}
const candidate = 0
const open: ChatPart = { type: 'open', candidate }
const failedStatuses: ReadonlySet<unknown> = new Set(['failed', 'cancelled'])

function isFailure(event: unknown, frame: Frame): boolean {
  if (frame.event === 'error' || frame.event === 'response.failed') return true
  if (!isObject(event)) return false
  const { type, error, response } = event
  // Items of tools report their own failures in events of theirs.
  const reportsError = isObject(error) && (textOf(type) === '' || textOf(type).includes('error'))
  return type === 'error' || type === 'response.failed' || reportsError || hasFailed(objectOf(response))
}

/** Returns whether a response reports its own failure. */
export function hasFailed({ status, error }: JsonObject): boolean {
  return isObject(error) || failedStatuses.has(status)
}

function isCall({ type }: JsonObject): boolean {
  return type === 'function_call' || type === 'custom_tool_call'
}

type Handler = (state: DecodeState, event: JsonObject) => readonly ChatPart[]

const handlers: Readonly<Record<string, Handler>> = {
  'response.created': (state, event) => start(state, event),
  'response.in_progress': (state, event) => start(state, event),
  'response.output_item.added': (state, event) => {
    const source = objectOf(event.item)
    const item = itemOf(state, event, source)
    return [open, ...(isCall(source) ? startCall(state, item, source) : unknownItem(item, source))]
  },
  'response.output_item.done': (state, event) => {
    const source = objectOf(event.item)
    const parts = readItem(state, itemOf(state, event, source), source)
    const kind = toolThatRan(source, state.tools)
    return kind === undefined ? parts : [...parts, { type: 'tool-ran', kind }]
  },
  'response.content_part.done': (state, event) => contentPart(state, event, objectOf(event.part)),
  'response.output_text.delta': (state, event) => {
    const item = itemOf(state, event)
    const position = positionOf(event.content_index)
    return [
      ...readText(item, position, textOf(event.delta)),
      ...readProbabilities(item, position, event.logprobs),
    ]
  },
  'response.output_text.done': (state, event) =>
    contentPart(state, event, { type: 'output_text', text: event.text, logprobs: event.logprobs }),
  'response.output_text.annotation.added': (state, event) =>
    readAnnotation(itemOf(state, event), positionOf(event.content_index), event.annotation),
  'response.refusal.delta': (state, event) =>
    readRefusal(state, itemOf(state, event), positionOf(event.content_index), textOf(event.delta)),
  'response.refusal.done': (state, event) =>
    contentPart(state, event, { type: 'refusal', refusal: event.refusal }),
  'response.reasoning_summary_text.delta': (state, event) => reasoning(state, event, 'summary', event.delta),
  'response.reasoning_summary_text.done': (state, event) => reasoningDone(state, event, 'summary'),
  'response.reasoning_text.delta': (state, event) => reasoning(state, event, 'content', event.delta),
  'response.reasoning_text.done': (state, event) => reasoningDone(state, event, 'content'),
  'response.function_call_arguments.delta': (state, event) =>
    readArguments(itemOf(state, event), textOf(event.delta)),
  'response.function_call_arguments.done': (state, event) => {
    const item = itemOf(state, event)
    return readArguments(item, unreceived(item, 'arguments', argumentsText(event.arguments)))
  },
  'response.custom_tool_call_input.delta': (state, event) => {
    itemOf(state, event).input += textOf(event.delta)
    return nothing
  },
  'response.custom_tool_call_input.done': (state, event) => {
    const item = itemOf(state, event)
    item.input = textOf(event.input)
    return readArguments(item, textArguments(item.input))
  },
  'response.completed': (state, event) => end(state, objectOf(event.response)),
  'response.incomplete': (state, event) => end(state, { status: 'incomplete', ...objectOf(event.response) }),
}

function start(state: DecodeState, { response }: JsonObject): readonly ChatPart[] {
  if (state.hasStarted) return nothing
  state.hasStarted = true
  const started = objectOf(response)
  state.tools = started.tools
  // Some servers count the prompt before they respond: the count holds when the stream breaks off.
  const usage = readUsage(started.usage)
  return [startOf(started), open, ...(usage === undefined ? nothing : [{ type: 'usage', usage } as const])]
}

function startOf({ id, model, created_at }: JsonObject): ChatPart {
  const createdAt = numberOf(created_at) ?? 0
  return { type: 'start', id: textOf(id), model: textOf(model), createdAt }
}

function contentPart(state: DecodeState, event: JsonObject, part: JsonObject): readonly ChatPart[] {
  return readContentPart(state, itemOf(state, event), positionOf(event.content_index), part)
}

/** Some servers send reasoning and a summary of it: only the kind that arrives first passes. */
function reasoning(
  state: DecodeState,
  event: JsonObject,
  kind: 'summary' | 'content',
  text: unknown,
): readonly ChatPart[] {
  const item = itemOf(state, event)
  const other = kind === 'summary' ? 'content' : 'summary'
  if (item.received.has(other)) return nothing
  if (textOf(text) !== '') item.received.set(kind, 1)
  return readReasoningDelta(state, item, reasoningPart(event, kind), textOf(text))
}

function reasoningDone(state: DecodeState, event: JsonObject, kind: 'summary' | 'content') {
  const isReported = itemOf(state, event).received.has(reasoningPart(event, kind))
  return isReported ? nothing : reasoning(state, event, kind, event.text)
}

function reasoningPart(event: JsonObject, kind: 'summary' | 'content'): string {
  return `${kind}:${positionOf(event[`${kind}_index`])}`
}

/** Reads a buffered response like the last event of a stream without earlier events. */
export function readResponse(response: JsonObject): readonly ChatPart[] {
  return end(decodeStream.start(), response)
}

/** The parts of the last event, with the items that no earlier event carried. */
function end(state: DecodeState, response: JsonObject): readonly ChatPart[] {
  state.hasEnded = true
  const parts: ChatPart[] = [...start(state, { response })]
  const output = listOf(response.output).map(objectOf)
  for (const [key, item] of state.items) parts.push(...endItem(state, item, output[Number(key)]))
  const isUnread = state.items.size === 0 ? () => true : isUnreadCall(state)
  output.forEach((item, index) => {
    if (isUnread(item)) parts.push(...readItem(state, newItem(`${index}`), item))
  })
  const usage = usageOfResponse(response)
  if (usage !== undefined) parts.push({ type: 'usage', usage })
  const reason = decodeStop(response, { hasToolCalls: state.callCount > 0, hasRefusal: state.hasRefusal })
  return [...parts, { type: 'stop', candidate, stop: { reason } }, { type: 'end' }]
}

/** Returns what the complete response adds to an item whose own end has not come. */
function endItem(state: DecodeState, item: ItemReading, source: JsonObject = {}): readonly ChatPart[] {
  if (item.isDone || item.call === undefined) return nothing
  return isCall(source) ? readItem(state, item, source) : unfinishedInput(item)
}

/** A call of which no event told anything, unlike its neighbours. */
function isUnreadCall({ callIds }: DecodeState): (item: JsonObject) => boolean {
  return (item) => isCall(item) && !callIds.has(callIdOf(item))
}

/** Identifies items by their place: some servers change the id of an item between its events. */
function itemOf(state: DecodeState, event: JsonObject, source: JsonObject = {}): ItemReading {
  const { output_index, item_id } = event
  const key = String(numberOf(output_index) ?? (textOf(item_id) || textOf(source.id)))
  const known = state.items.get(key)
  if (known !== undefined) return known
  const made = newItem(key)
  state.items.set(key, made)
  return made
}

function positionOf(index: unknown): number {
  return numberOf(index) ?? 0
}
