import type { EncodeContext, StreamEncoder, TextFrame } from '../../canonical/codec.ts'
import type { Signature } from '../../canonical/request.ts'
import type { Citation, Stop } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { JsonTemplate } from '../../json/template.ts'
import type { Usage } from '../../usage.ts'
import {
  encodeMedia,
  encodeReasoning,
  encodeResponsePart,
  malformedCall,
  messageFor,
  type WirePart,
} from '../encode-part.ts'
import { signatureMember } from '../parts.ts'
import { encodeCitations, encodeLogprobs } from './encode-response.ts'
import { encodeStop } from './stop.ts'
import { encodeUsage } from './usage.ts'

type Fields = Readonly<Record<string, unknown>>

/** State of the stream that the caller has been sent so far. */
export interface EncodeState {
  readonly model: string
  responseId: string
  readonly candidates: Map<number, CandidateState>
}

interface CandidateState {
  /** A chunk with a piece of text, which most are. */
  readonly texts: JsonTemplate
  /** Calls that have begun and are not written yet, by their number, in the order they began. */
  readonly calls: Map<number, OpenCall>
  hasCalls: boolean
  stop: Stop | undefined
  /** Fault of calls that could not be written. */
  malformed: string
  readonly citations: Citation[]
}

interface OpenCall {
  readonly id: string
  readonly name: string
  readonly signature: Signature | undefined
  arguments: string
  ended: boolean
}

/**
 * Writes chunks as `streamGenerateContent?alt=sse` does. Writes a call when it is complete, after the calls that began before
 * it; the last chunk holds ends, citations and usage.
 */
export const streamEncoder: StreamEncoder<EncodeState> = {
  start: ({ model, responseId }: EncodeContext) => ({ model, responseId: responseId, candidates: new Map() }),
  step: (state, part) => encodePart(state, part),
  finish: (state, usage) => finish(state, usage),
}

function encodePart(state: EncodeState, part: ChatPart): readonly TextFrame[] {
  switch (part.type) {
    case 'start':
      if (part.id !== '') state.responseId = part.id
      return []
    case 'left-out':
    case 'tool-ran':
    case 'usage':
    case 'error':
    case 'end':
      return []
    default:
      return encodeCandidatePart(state, part)
  }
}

type CandidatePart = Extract<ChatPart, { readonly candidate: number }>

function encodeCandidatePart(state: EncodeState, part: CandidatePart): readonly TextFrame[] {
  const own = stateOf(state, part.candidate)
  switch (part.type) {
    case 'text-delta':
      return part.text === '' ? [] : [{ data: own.texts.with(part.text) }]
    case 'tool-call-start':
    case 'tool-call-delta':
    case 'tool-call-end':
      followCall(own, part)
      return completedCalls(own).map((wire) => partFrame(state, part.candidate, wire))
    case 'citation':
      own.citations.push(part.citation)
      return []
    case 'stop':
      own.stop = part.stop
      return []
    case 'logprobs':
      return [frameOf(state, [{ ...contentOf([]), index: part.candidate, ...encodeLogprobs(part.logprobs) }])]
    default: {
      const wire = encodeDelta(part)
      return wire === undefined ? [] : [partFrame(state, part.candidate, wire)]
    }
  }
}

type DeltaPart = Exclude<
  CandidatePart,
  { readonly type: `tool-call-${string}` | 'text-delta' | 'citation' | 'stop' | 'logprobs' }
>

function encodeDelta(part: DeltaPart): WirePart | undefined {
  switch (part.type) {
    case 'refusal-delta':
      return encodeResponsePart({ type: 'text', text: part.text })
    case 'text-signature':
      return encodeResponsePart({ type: 'text', text: '', signature: part.signature })
    case 'reasoning-delta':
      return encodeReasoning(part.text, {})
    case 'reasoning-signature':
      return encodeReasoning('', signatureMember(part.signature))
    case 'media':
      return encodeMedia(part.media)
    // A role alone makes no chunk, and this caller cannot read reasoning that its vendor encrypted.
    case 'open':
    case 'reasoning-encrypted':
      return undefined
  }
}

function stateOf(state: EncodeState, index: number): CandidateState {
  const known = state.candidates.get(index)
  if (known !== undefined) return known
  const fresh: CandidateState = {
    texts: new JsonTemplate((text) => chunkOf(state, [{ ...contentOf([{ text }]), index }])),
    calls: new Map(),
    hasCalls: false,
    stop: undefined,
    malformed: '',
    citations: [],
  }
  state.candidates.set(index, fresh)
  return fresh
}

function followCall(
  own: CandidateState,
  part: Extract<ChatPart, { readonly type: `tool-call-${string}` }>,
): void {
  if (part.type === 'tool-call-start') {
    own.hasCalls = true
    const { id, name, signature } = part
    own.calls.set(part.call, { id, name, signature, arguments: '', ended: false })
    return
  }
  const call = own.calls.get(part.call)
  if (call === undefined) return
  if (part.type === 'tool-call-delta') call.arguments += part.arguments
  else call.ended = true
}

/** Complete calls, up to the first incomplete one. */
function completedCalls(own: CandidateState): readonly WirePart[] {
  const wires: WirePart[] = []
  for (const [position, call] of own.calls) {
    if (!call.ended) break
    own.calls.delete(position)
    const { id, name, signature } = call
    const wire = encodeResponsePart({
      type: 'tool-call',
      id,
      name,
      arguments: call.arguments,
      ...(signature && { signature }),
    })
    if (wire !== undefined) wires.push(wire)
    else noteMalformed(own, malformedCall(call))
  }
  return wires
}

function noteMalformed(own: CandidateState, message: string): void {
  own.malformed += `${own.malformed === '' ? '' : '\n'}${message}`
}

/** Abandons open calls: the format has no part for half of one, as its end repeats it. */
function abandonCalls(own: CandidateState): void {
  for (const [position, call] of own.calls) {
    if (call.ended) continue
    own.calls.delete(position)
    noteMalformed(own, messageFor(call))
  }
}

function finish(state: EncodeState, usage: Usage): readonly TextFrame[] {
  // A response without any part has an end nevertheless.
  if (state.candidates.size === 0) stateOf(state, 0)
  const open = [...state.candidates].flatMap(([index, own]) => {
    abandonCalls(own)
    return completedCalls(own).map((wire) => partFrame(state, index, wire))
  })
  const candidates = [...state.candidates].map(([index, own]) => ({
    ...contentOf([{ text: '' }]),
    ...encodeStop(own.stop ?? { reason: own.hasCalls ? 'tool-calls' : 'stop' }, own.malformed),
    index,
    ...encodeCitations(own.citations),
  }))
  return [...open, frameOf(state, candidates, { usageMetadata: encodeUsage(usage) })]
}

function partFrame(state: EncodeState, index: number, wire: WirePart): TextFrame {
  return frameOf(state, [{ ...contentOf([wire]), index }])
}

function contentOf(parts: readonly WirePart[]): Fields {
  return { content: { parts, role: 'model' } }
}

function frameOf(state: EncodeState, candidates: readonly Fields[], more: Fields = {}): TextFrame {
  return { data: JSON.stringify(chunkOf(state, candidates, more)) }
}

function chunkOf(
  { model, responseId }: EncodeState,
  candidates: readonly Fields[],
  more: Fields = {},
): Fields {
  return { candidates, ...more, modelVersion: model, responseId }
}
