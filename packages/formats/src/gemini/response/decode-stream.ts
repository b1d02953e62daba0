import type { Frame, StreamDecoder } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { eventObject, expectMembers, type MemberShapes, objectsOf } from '../../framing/event-shape.ts'
import { MalformedFrameError } from '../../framing/frame.ts'
import { parseEvent } from '../../json/exact-json.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { unfinished } from '../../streams/call-arguments.ts'
import { countOf } from '../../usage.ts'
import { member } from '../fields.ts'
import { type CandidateReading, callIdOf, createdAtOf, isBlocked, readCandidate } from './candidate.ts'
import { decodeError } from './error.ts'
import { PartialCalls } from './partial-calls.ts'
import { failedEnd, stopOf } from './stop.ts'
import { type Grounding, groundingIn, noGrounding, readUsage, withGrounding } from './usage.ts'

/** State of a stream that is being read. */
export interface DecodeState {
  started: boolean
  responseId: string
  /** `usageMetadata` so far: cumulative, but not every chunk has every count. */
  usage: JsonObject
  model: string
  grounding: Grounding
  readonly candidates: Map<number, CandidateState>
  readonly partialCalls: PartialCalls
  /** See `StreamDecoder.start`. */
  readonly isForwarded: boolean
}

interface CandidateState {
  opened: boolean
  stopped: boolean
  calls: number
  /** Later chunks repeat what earlier ones cited. */
  readonly cited: Set<string>
}

/**
 * Reads chunks of `streamGenerateContent`, framed as server-sent events or as elements of a list. The format has no end
 * mark; `[DONE]`, which other gateways write, counts as one.
 */
export const streamDecoder: StreamDecoder<DecodeState> = {
  start: (isForwarded = false) => ({
    isForwarded,
    started: false,
    responseId: '',
    usage: {},
    model: '',
    grounding: noGrounding,
    candidates: new Map(),
    partialCalls: new PartialCalls(),
  }),
  step: (state, frame) => step(state, frame),
  finish: (state) => state.partialCalls.candidates.flatMap((candidate) => unfinishedCalls(state, candidate)),
}

function step(state: DecodeState, frame: Frame): readonly ChatPart[] {
  if (frame.data.trim() === '[DONE]') return [{ type: 'end' }]
  const parsed = parseEvent(frame.data, callKey)
  const body = Array.isArray(parsed) && isObject(parsed[0]) ? parsed[0] : eventObject(frame.data, callKey)
  if (isObject(body.error) || frame.event === 'error')
    return [{ type: 'error', error: decodeError({ status: 200, headers: {}, body: frame.data }) }]
  if (!state.isForwarded) expectChunk(body)
  return readChunk(state, body)
}

/** Part of `functionCall` in either spelling. */
const callKey = 'unction'
const partMembers: MemberShapes = { text: 'text', functionCall: 'object', function_call: 'object' }

/** @throws MalformedFrameError */
function expectChunk({ candidates }: JsonObject): void {
  for (const candidate of objectsOf(candidates, 'candidates')) {
    expectMembers(candidate, { content: 'object' })
    for (const part of objectsOf(objectOf(candidate.content).parts, 'parts')) {
      expectMembers(part, partMembers)
      expectMembers(objectOf(member(part, 'functionCall')), { name: 'text', args: 'object' })
    }
  }
}

function readChunk(state: DecodeState, body: JsonObject): readonly ChatPart[] {
  const readings = listOf(body.candidates).map((item, index) =>
    readCandidate(withCompletedCalls(state, objectOf(item), index), index),
  )
  const opening = openingPart(state, body)
  const parts = readings.flatMap((reading) => [
    ...deliver(state, reading),
    ...(reading.finishReason === '' ? [] : unfinishedCalls(state, reading.index)),
  ])
  const stops = readings.flatMap((reading) => stopPart(state, reading))
  const blocked = readings.length === 0 && isBlocked(body) ? blockedPart(state) : []
  const failure = readings
    .map((reading) => failedEnd(reading.finishReason, reading.finishMessage))
    .find(Boolean)
  const failed: readonly ChatPart[] = failure === undefined ? [] : [{ type: 'error', error: failure }]
  return [...opening, ...parts, ...stops, ...blocked, ...usagePart(state, body), ...failed]
}

function withCompletedCalls(state: DecodeState, candidate: JsonObject, position: number): JsonObject {
  const content = objectOf(candidate.content)
  const provided = listOf(content.parts)
  const index = countOf(candidate.index) ?? position
  const parts = assembled(state, () => state.partialCalls.assemble(index, provided)) ?? provided
  return parts === provided ? candidate : { ...candidate, content: { ...content, parts } }
}

/** Calls that never ended: what came of their arguments is no JSON, so that nobody makes them. */
function unfinishedCalls(state: DecodeState, index: number): readonly ChatPart[] {
  const parts = state.partialCalls.unfinished(index)
  const { parts: calls } = readCandidate({ index, content: { parts } }, index)
  return calls.flatMap((part) => {
    if (part.type !== 'tool-call') return []
    const cut = { ...part, arguments: unfinished(part.arguments), isCut: true }
    return partsOf(cut, index, stateOf(state, index), state.responseId)
  })
}

/** Pieces that do not fit together pass as received, and count for nothing. @throws MalformedFrameError where they do not */
function assembled<Parts>({ isForwarded }: DecodeState, assemble: () => Parts): Parts | undefined {
  try {
    return assemble()
  } catch (error) {
    if (isForwarded && error instanceof MalformedFrameError) return undefined
    throw error
  }
}

function openingPart(state: DecodeState, body: JsonObject): readonly ChatPart[] {
  if (state.started) return []
  state.started = true
  state.responseId = textOf(member(body, 'responseId'))
  state.model = textOf(member(body, 'modelVersion'))
  return [{ type: 'start', id: state.responseId, model: state.model, createdAt: createdAtOf(body) }]
}

function stateOf(state: DecodeState, index: number): CandidateState {
  const known = state.candidates.get(index)
  if (known !== undefined) return known
  const fresh: CandidateState = { opened: false, stopped: false, calls: 0, cited: new Set() }
  state.candidates.set(index, fresh)
  return fresh
}

function deliver(state: DecodeState, reading: CandidateReading): readonly ChatPart[] {
  const candidate = reading.index
  const own = stateOf(state, candidate)
  const parts: ChatPart[] = reading.parts.flatMap((part) => partsOf(part, candidate, own, state.responseId))
  parts.push(...reading.leftOut)
  if (reading.logprobs.length > 0) parts.push({ type: 'logprobs', candidate, logprobs: reading.logprobs })
  for (const citation of reading.citations) {
    const key = JSON.stringify([citation.url, citation.text])
    if (own.cited.has(key)) continue
    own.cited.add(key)
    parts.push({ type: 'citation', candidate, citation })
  }
  if (parts.length === 0 && !own.opened && reading.opens && reading.finishReason === '')
    parts.push({ type: 'open', candidate })
  own.opened ||= parts.length > 0
  return parts
}

function partsOf(
  part: AssistantPart,
  candidate: number,
  own: CandidateState,
  responseId: string,
): readonly ChatPart[] {
  switch (part.type) {
    case 'text':
      return [
        ...(part.text === '' ? [] : [{ type: 'text-delta', candidate, text: part.text } as const]),
        ...(part.signature
          ? [{ type: 'text-signature', candidate, signature: part.signature } as const]
          : []),
      ]
    case 'reasoning':
      return [
        ...(part.text === '' ? [] : [{ type: 'reasoning-delta', candidate, text: part.text } as const]),
        ...(part.signature
          ? [{ type: 'reasoning-signature', candidate, signature: part.signature } as const]
          : []),
      ]
    case 'media':
      return [{ type: 'media', candidate, media: part }]
    case 'refusal':
      return [{ type: 'refusal-delta', candidate, text: part.text }]
    case 'tool-call': {
      const call = own.calls++
      const { name, signature } = part
      const id = part.id || callIdOf(responseId, candidate, call)
      return [
        { type: 'tool-call-start', candidate, call, id, name, ...(signature && { signature }) },
        { type: 'tool-call-delta', candidate, call, arguments: part.arguments },
        ...(part.isCut === true ? [] : [{ type: 'tool-call-end', candidate, call } as const]),
      ]
    }
  }
}

function stopPart(state: DecodeState, reading: CandidateReading): readonly ChatPart[] {
  const own = stateOf(state, reading.index)
  const stop = stopOf(reading.finishReason, own.calls > 0)
  if (stop === undefined || own.stopped || failedEnd(reading.finishReason, '') !== undefined) return []
  own.stopped = true
  return [{ type: 'stop', candidate: reading.index, stop }]
}

function blockedPart(state: DecodeState): readonly ChatPart[] {
  const own = stateOf(state, 0)
  if (own.stopped) return []
  own.stopped = true
  return [{ type: 'stop', candidate: 0, stop: { reason: 'content-filter' } }]
}

function usagePart(state: DecodeState, body: JsonObject): readonly ChatPart[] {
  state.grounding = groundingIn(state.grounding, body)
  const metadata = member(body, 'usageMetadata')
  if (!isObject(metadata)) return []
  state.usage = { ...state.usage, ...metadata }
  const usage = readUsage(state.usage)
  if (usage === undefined) return []
  return [{ type: 'usage', usage: withGrounding(usage, state.grounding, body, state.model) }]
}
