import type { Frame, StreamDecoder } from '../../canonical/codec.ts'
import { outputToolName } from '../../canonical/instructions.ts'
import type { Signature } from '../../canonical/request.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { runKindOf } from '../../costs/tool-runs.ts'
import { type EventShapes, eventObject, expectEvent, leftOut } from '../../framing/event-shape.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import type { DetachedSignature } from '../../requests/foreign-signatures.ts'
import { decodeCitation, decodeRedacted, decodeThinking, unknownBlock } from '../blocks.ts'
import { decodeError } from './error.ts'
import { decodeStop } from './stop.ts'
import { addRun, mergeUsage, type RanTools, readUsage, toolThatRan } from './usage.ts'

/** State of a stream that is being read. */
export interface DecodeState {
  /** Calls of tools whose block is open, by the block's index. */
  readonly calls: Map<number, OpenCall>
  callCount: number
  /** Signature of another vendor for the call that follows. */
  forCall: Signature | undefined
  /** Indexes of all blocks that have begun and not ended. */
  readonly openBlocks: Set<number>
  /** Open block of the tool that carries a response in JSON. */
  outputToolBlock: number | undefined
  /** Usage so far, in the upstream's own fields. */
  usage: JsonObject
  /** Tools that the vendor ran so far. */
  ran: RanTools
  stopped: boolean
  /** See `StreamDecoder.start`. */
  readonly isForwarded: boolean
  /** `message_stop` or an error has come: nothing behind it is read. */
  ended: boolean
}

interface OpenCall {
  readonly call: number
  /** Complete arguments from the start of the block; empty when it carries none. */
  readonly complete: string
  isEmitted: boolean
}

/** https://platform.claude.com/docs/en/build-with-claude/streaming */
export const decodeStream: StreamDecoder<DecodeState> = {
  start: (isForwarded = false) => ({
    isForwarded,
    calls: new Map(),
    callCount: 0,
    forCall: undefined,
    openBlocks: new Set(),
    outputToolBlock: undefined,
    usage: {},
    ran: new Map(),
    stopped: false,
    ended: false,
  }),
  step(state, frame) {
    if (state.ended || frame.data.trim() === '[DONE]') return nothing
    if (frame.event === 'error') return fail(state, frame)
    const event = eventObject(frame.data, '"input"')
    const type = textOf(event.type) || frame.event
    if (type === 'error' || (isObject(event.error) && isErrorType(type))) return fail(state, frame)
    if (!state.isForwarded) expectEvent(type, event, shapes)
    return (Object.hasOwn(handlers, type) ? handlers[type]?.(state, event) : undefined) ?? nothing
  },
  finish: () => nothing,
}

type Handler = (state: DecodeState, event: JsonObject) => readonly ChatPart[]
type Handlers = Readonly<Record<string, Handler>>

const nothing: readonly never[] = []
const candidate = 0
const open: ChatPart = { type: 'open', candidate }

/** Members that the handlers below read, of an event and of its delta. */
const shapes: EventShapes = {
  message_start: { message: 'object' },
  content_block_start: { content_block: 'object' },
  content_block_delta: { delta: 'object' },
  message_delta: { delta: 'object' },
}
const deltaShapes: EventShapes = {
  text_delta: { text: 'text' },
  thinking_delta: { thinking: 'text' },
  signature_delta: { signature: 'text' },
  input_json_delta: { partial_json: 'text' },
}

/** Compatible upstreams fail without a type, or with one of their own; other events may have a member of that name. */
function isErrorType(type: string): boolean {
  return type === '' || type.includes('error')
}

function fail(state: DecodeState, { data }: Frame): readonly ChatPart[] {
  state.ended = true
  return [{ type: 'error', error: decodeError({ status: 200, headers: {}, body: data }) }]
}

const handlers: Handlers = {
  message_start(state, event) {
    const { id, model, usage } = objectOf(event.message)
    return [
      { type: 'start', id: textOf(id), model: textOf(model), createdAt: 0 },
      open,
      ...takeUsage(state, usage),
    ]
  },
  content_block_start(state, event) {
    state.openBlocks.add(indexOf(event))
    const block = objectOf(event.content_block)
    const type = textOf(block.type)
    const read = Object.hasOwn(blocks, type) ? blocks[type]?.(state, block, indexOf(event)) : undefined
    return read ?? [open, ...unknownBlock(type, indexOf(event))]
  },
  content_block_delta(state, event) {
    const delta = objectOf(event.delta)
    const type = textOf(delta.type)
    if (!state.isForwarded) expectEvent(type, delta, deltaShapes)
    return (Object.hasOwn(deltas, type) ? deltas[type]?.(state, delta, indexOf(event)) : undefined) ?? nothing
  },
  content_block_stop(state, event) {
    const index = indexOf(event)
    state.openBlocks.delete(index)
    if (state.outputToolBlock === index) state.outputToolBlock = undefined
    return endCall(state, index)
  },
  message_delta(state, event) {
    const { stop_reason, stop_sequence } = objectOf(event.delta)
    return [...takeStop(state, textOf(stop_reason), stop_sequence), ...takeUsage(state, event.usage)]
  },
  message_stop(state) {
    state.ended = true
    const isEarly = !state.stopped && state.openBlocks.size > 0
    return [...completeInputs(state), isEarly ? { type: 'end', isEarly } : { type: 'end' }]
  },
}

type BlockHandler = (state: DecodeState, value: JsonObject, index: number) => readonly ChatPart[]

const blocks: Readonly<Record<string, BlockHandler>> = {
  text: (_state, { text, citations }, index) => [
    open,
    ...textDelta(textOf(text)),
    ...listOf(citations).flatMap((citation) => citationOf(objectOf(citation), index)),
  ],
  thinking(state, block) {
    const parts: ChatPart[] = [open]
    if (textOf(block.thinking) !== '')
      parts.push({ type: 'reasoning-delta', candidate, text: textOf(block.thinking) })
    return [...parts, ...signatureParts(state, block)]
  },
  redacted_thinking(state, block) {
    const read = decodeRedacted(block)
    if (read.type === 'mark') return markedParts(state, read)
    return read.encrypted === undefined
      ? [open]
      : [{ type: 'reasoning-encrypted', candidate, encrypted: read.encrypted }]
  },
  server_tool_use(state, block) {
    state.ran = addRun(state.ran, block)
    const kind = runKindOf(toolThatRan(block))
    return kind === undefined || kind === 'free' ? [open] : [open, { type: 'tool-ran', kind }]
  },
  tool_use(state, { id, name, input }, index) {
    const complete = completeInput(input)
    if (name === outputToolName) {
      state.outputToolBlock = index
      return [open, ...textDelta(complete)]
    }
    const call = state.callCount++
    const signature = state.forCall
    state.forCall = undefined
    state.calls.set(index, { call, complete, isEmitted: false })
    const start = { type: 'tool-call-start', candidate, call, id: textOf(id), name: textOf(name) } as const
    return [signature === undefined ? start : { ...start, signature }]
  },
}

const deltas: Readonly<Record<string, BlockHandler>> = {
  text_delta: (_state, { text }) => textDelta(textOf(text)),
  thinking_delta: (_state, { thinking }) =>
    textOf(thinking) === '' ? nothing : [{ type: 'reasoning-delta', candidate, text: textOf(thinking) }],
  signature_delta: signatureParts,
  citations_delta: (_state, { citation }, index) => citationOf(objectOf(citation), index),
  input_json_delta(state, { partial_json }, index) {
    const text = textOf(partial_json)
    if (text === '') return nothing
    if (state.outputToolBlock === index) return textDelta(text)
    // Input of the vendor's own tools has no call here.
    const call = state.calls.get(index)
    if (call === undefined) return nothing
    call.isEmitted = true
    return [{ type: 'tool-call-delta', candidate, call: call.call, arguments: text }]
  },
}

function textDelta(text: string): readonly ChatPart[] {
  return text === '' ? nothing : [{ type: 'text-delta', candidate, text }]
}

/** The text that it belongs to is still to come, and so is its place in the response. */
function citationOf(value: JsonObject, index: number): readonly ChatPart[] {
  const citation = decodeCitation(value)
  if (citation === undefined) return [leftOut(`content[${index}].citations`, textOf(value.type))]
  return [{ type: 'citation', candidate, citation }]
}

/** A signature, or reasoning that another vendor encrypted; nothing for a mark without either. */
function signatureParts(state: DecodeState, { signature: opaque }: JsonObject): readonly ChatPart[] {
  if (textOf(opaque) === '') return nothing
  return decodeThinking({ signature: opaque }).flatMap((read): readonly ChatPart[] => {
    if (read.type === 'mark') return markedParts(state, read)
    const { signature, encrypted } = read
    if (encrypted !== undefined) return [{ type: 'reasoning-encrypted', candidate, encrypted }]
    return signature === undefined ? nothing : [{ type: 'reasoning-signature', candidate, signature }]
  })
}

/** The signature of the text before it, or of the call behind it. That of the text behind it is in no stream. */
function markedParts(
  state: DecodeState,
  { mark: { kind, signature } }: DetachedSignature,
): readonly ChatPart[] {
  if (kind === 'tool-call') state.forCall = signature
  return kind === 'text' && signature !== undefined
    ? [{ type: 'text-signature', candidate, signature }]
    : nothing
}

/** Some compatible upstreams send all arguments with the start of the block. */
function completeInput(input: unknown): string {
  if (typeof input === 'string') return input
  return isObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
}

function endCall(state: DecodeState, index: number): readonly ChatPart[] {
  const open = state.calls.get(index)
  if (open === undefined) return nothing
  state.calls.delete(index)
  return [...completeInputOf(open), { type: 'tool-call-end', candidate, call: open.call }]
}

/** The arguments that came with the starts of blocks which no event ended. */
function completeInputs({ calls }: DecodeState): readonly ChatPart[] {
  return [...calls.values()].flatMap(completeInputOf)
}

function completeInputOf(open: OpenCall): readonly ChatPart[] {
  if (open.isEmitted || open.complete === '') return nothing
  open.isEmitted = true
  return [{ type: 'tool-call-delta', candidate, call: open.call, arguments: open.complete }]
}

function takeStop(state: DecodeState, reason: string, sequence: unknown): readonly ChatPart[] {
  if (reason === '' || state.stopped) return nothing
  state.stopped = true
  const stop = decodeStop(reason, sequence)
  // The tool that carries a response in JSON does not count as a call.
  const plain = stop.reason === 'tool-calls' && state.callCount === 0
  return [...completeInputs(state), { type: 'stop', candidate, stop: plain ? { reason: 'stop' } : stop }]
}

function takeUsage(state: DecodeState, latest: unknown): readonly ChatPart[] {
  if (!isObject(latest)) return nothing
  state.usage = mergeUsage(state.usage, latest)
  const usage = readUsage(state.usage, state.ran)
  return usage === undefined ? nothing : [{ type: 'usage', usage }]
}

/** Most upstreams count from 0; without an index there is one block at a time. */
function indexOf({ index }: JsonObject): number {
  return numberOf(index) ?? 0
}
