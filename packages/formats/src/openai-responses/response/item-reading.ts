import type { ReasoningPart, Signature } from '../../canonical/request.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { leftOut } from '../../framing/event-shape.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { readLogprobs } from '../../openai-chat/response/delta-parts.ts'
import { textArguments } from '../../requests/custom-tools.ts'
import type { DetachedSignature } from '../../requests/foreign-signatures.ts'
import { argumentsText, unfinished } from '../../streams/call-arguments.ts'
import { flatName } from '../tool-names.ts'
import { decodeCitation, readImage, readReasoningItem } from './item-content.ts'

/** State that all items of one response share. */
export interface ItemState {
  callCount: number
  /** Ids of the calls that have begun. */
  readonly callIds: Set<string>
  hasRefusal: boolean
  /** Signature of another vendor for the call that follows. */
  forCall: Signature | undefined
  /** The same for the text that follows. */
  forText: Signature | undefined
  /** Item and part of the open reasoning; empty without one. */
  reasoning: string
}

/** One item of a response, as far as it arrived. Servers send it in pieces, in its end events alone, or only complete. */
export interface ItemReading {
  readonly key: string
  /** Characters received of each part: a later event with the complete part repeats them. */
  readonly received: Map<string, number>
  /** Annotations received so far, by part. */
  readonly annotations: Map<number, number>
  /** Its call, once its name is known. */
  call: number | undefined
  /** Free text of a custom tool's call, which becomes JSON when it is complete. */
  input: string
  isDone: boolean
}

/** An item of which nothing has come yet. */
export function newItem(key: string): ItemReading {
  return { key, received: new Map(), annotations: new Map(), call: undefined, input: '', isDone: false }
}

const candidate = 0

function markReceived({ received }: ItemReading, part: string, text: string): void {
  received.set(part, (received.get(part) ?? 0) + text.length)
}

/** The rest of a complete text that earlier pieces did not carry. */
export function unreceived({ received }: ItemReading, part: string, complete: string): string {
  return complete.slice(received.get(part) ?? 0)
}

/** A piece of a text. */
export function readText(item: ItemReading, position: number, text: string): readonly ChatPart[] {
  if (text === '') return []
  markReceived(item, `text:${position}`, text)
  return [{ type: 'text-delta', candidate, text }]
}

/** A piece of a refusal. */
export function readRefusal(
  state: ItemState,
  item: ItemReading,
  position: number,
  text: string,
): readonly ChatPart[] {
  if (text === '') return []
  markReceived(item, `refusal:${position}`, text)
  state.hasRefusal = true
  return [{ type: 'refusal-delta', candidate, text }]
}

/** Log probabilities of a part. */
export function readProbabilities(item: ItemReading, position: number, list: unknown): readonly ChatPart[] {
  const logprobs = readLogprobs({ content: list })
  if (logprobs.length === 0) return []
  item.received.set(`logprobs:${position}`, logprobs.length)
  return [{ type: 'logprobs', candidate, logprobs }]
}

/** An annotation of a part: a citation, or the name of what only this format can say, as what is cited of a file. */
export function readAnnotation(
  item: ItemReading,
  position: number,
  annotation: unknown,
): readonly ChatPart[] {
  item.annotations.set(position, (item.annotations.get(position) ?? 0) + 1)
  const citation = decodeCitation(objectOf(annotation))
  if (citation === undefined)
    return [
      leftOut(`output[${item.key}].content[${position}].annotations`, textOf(objectOf(annotation).type)),
    ]
  return [{ type: 'citation', candidate, citation }]
}

/** Reads a complete content part and returns the rest that earlier pieces did not carry. */
export function readContentPart(
  state: ItemState,
  item: ItemReading,
  position: number,
  part: JsonObject,
): readonly ChatPart[] {
  const rest = (what: string, complete: unknown) => unreceived(item, `${what}:${position}`, textOf(complete))
  if (part.type === 'refusal') return readRefusal(state, item, position, rest('refusal', part.refusal))
  if (!knownParts.has(textOf(part.type)) && textOf(part.text) === '')
    return [leftOut(`output[${item.key}].content[${position}]`, textOf(part.type))]
  const annotations = listOf(part.annotations).slice(item.annotations.get(position) ?? 0)
  return [
    ...readText(item, position, rest('text', part.text)),
    ...(item.received.has(`logprobs:${position}`) ? [] : readProbabilities(item, position, part.logprobs)),
    ...annotations.flatMap((annotation) => readAnnotation(item, position, annotation)),
  ]
}

const knownParts: ReadonlySet<string> = new Set(['', 'output_text', 'text', 'reasoning_text', 'summary_text'])

/** A piece of reasoning; its paragraphs come as parts of their own. */
export function readReasoningDelta(
  state: ItemState,
  item: ItemReading,
  part: string,
  text: string,
): readonly ChatPart[] {
  if (text === '') return []
  const position = `${item.key} ${part}`
  const separator = state.reasoning !== '' && state.reasoning !== position ? '\n\n' : ''
  state.reasoning = position
  markReceived(item, 'thoughts', text)
  markReceived(item, part, text)
  return [{ type: 'reasoning-delta', candidate, text: separator + text }]
}

/** Starts a call as soon as its name is known. */
export function startCall(state: ItemState, item: ItemReading, source: JsonObject): readonly ChatPart[] {
  const name = textOf(source.name)
  if (item.call !== undefined || name === '') return []
  const call = state.callCount++
  const signature = state.forCall
  state.forCall = undefined
  item.call = call
  const id = callIdOf(source)
  state.callIds.add(id)
  const start = { candidate, call, id, name: flatName(textOf(source.namespace), name) } as const
  return [{ type: 'tool-call-start', ...start, ...(signature !== undefined && { signature }) }]
}

/** The id of a call, by the item that holds it. */
export function callIdOf({ call_id, id }: JsonObject): string {
  return textOf(call_id) || textOf(id)
}

/** A piece of a call's arguments; nothing before the call's name arrives. */
export function readArguments(item: ItemReading, text: string): readonly ChatPart[] {
  const { call } = item
  if (call === undefined || text === '') return []
  markReceived(item, 'arguments', text)
  return [{ type: 'tool-call-delta', candidate, call, arguments: text }]
}

/** Free text of a custom tool that broke off. What came of it is no JSON, so that nobody makes the call. */
export function unfinishedInput(item: ItemReading): readonly ChatPart[] {
  if (item.input === '' || item.received.has('arguments')) return []
  return readArguments(item, unfinished(textArguments(item.input)))
}

/** Reads a complete item and returns the rest that earlier pieces did not carry. Names items that have no canonical form. */
export function readItem(state: ItemState, item: ItemReading, source: JsonObject): readonly ChatPart[] {
  if (item.isDone) return []
  if (source.type !== 'reasoning') state.reasoning = ''
  switch (source.type) {
    case 'function_call':
      return readCall(state, item, source, argumentsText(source.arguments))
    case 'custom_tool_call':
      return readCall(state, item, source, customArguments(source))
    case 'reasoning':
      return readReasoning(state, item, source)
  }
  item.isDone = true
  if (source.type === 'image_generation_call') return readImage(source)
  if (source.type !== 'message') return unknownItem(item, source)
  const parts = listOf(source.content).flatMap((part, index) =>
    readContentPart(state, item, index, objectOf(part)),
  )
  const signature = state.forText
  state.forText = undefined
  return signature === undefined ? parts : [...parts, { type: 'text-signature', candidate, signature }]
}

/** Items with a form of their own in other formats, and those of tools whose results the texts repeat. */
const knownItems: ReadonlySet<string> = new Set([
  '',
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
  'image_generation_call',
  'web_search_call',
  'x_search_call',
  'file_search_call',
  'code_interpreter_call',
])

/** Names an item that other formats have no form for. */
export function unknownItem({ key }: ItemReading, source: JsonObject): readonly ChatPart[] {
  const type = textOf(source.type)
  return knownItems.has(type) ? [] : [leftOut(`output[${key}]`, type)]
}

function readCall(
  state: ItemState,
  item: ItemReading,
  source: JsonObject,
  complete: string,
): readonly ChatPart[] {
  const start = startCall(state, item, source)
  const rest = readArguments(item, unreceived(item, 'arguments', complete))
  item.isDone = true
  if (item.call === undefined || source.status === 'incomplete') return [...start, ...rest]
  return [...start, ...rest, { type: 'tool-call-end', candidate, call: item.call }]
}

/** The free text of a call that the limit cut says nothing of where it ends: the status does. */
function customArguments({ input, status }: JsonObject): string {
  const complete = textArguments(textOf(input))
  return status === 'incomplete' ? unfinished(complete) : complete
}

/** Reasoning and its signature, which is complete only at the end of the item. */
function readReasoning(state: ItemState, item: ItemReading, source: JsonObject): readonly ChatPart[] {
  item.isDone = true
  return readReasoningItem(source).flatMap((read) =>
    read.type === 'mark' ? markedParts(state, read) : reasoningParts(state, item, read),
  )
}

/** The signature of the text before it, or of what follows. */
function markedParts(
  state: ItemState,
  { mark: { kind, signature } }: DetachedSignature,
): readonly ChatPart[] {
  if (signature === undefined) return []
  if (kind === 'text') return [{ type: 'text-signature', candidate, signature }]
  if (kind === 'tool-call') state.forCall = signature
  else state.forText = signature
  return []
}

function reasoningParts(
  state: ItemState,
  item: ItemReading,
  { text, signature, encrypted }: ReasoningPart,
): readonly ChatPart[] {
  const parts = [...(item.received.has('thoughts') ? [] : readReasoningDelta(state, item, 'whole', text))]
  if (signature !== undefined || encrypted !== undefined) state.reasoning = ''
  if (signature !== undefined) parts.push({ type: 'reasoning-signature', candidate, signature })
  if (encrypted !== undefined) parts.push({ type: 'reasoning-encrypted', candidate, encrypted })
  return parts
}
