import type { StreamDecoder } from '../../canonical/codec.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import { isFailedFinish } from '../../errors/error-kind.ts'
import { expectMembers, type MemberShapes, objectsOf } from '../../framing/event-shape.ts'
import { parseEvent } from '../../json/exact-json.ts'
import { numberOf } from '../../json/number-text.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import { readDelta, readLogprobs, readSources } from './delta-parts.ts'
import { type DeltaTemplate, matchTemplate, templateOf } from './delta-template.ts'
import { isFailure } from './error.ts'
import { decodeStop, finishOf } from './stop.ts'
import { endToolCalls, readToolCalls, type ToolCallDeltas } from './tool-call-deltas.ts'
import { type ExecutedTools, executedIn, findUsage, noTools } from './usage.ts'

/** State of a stream that is being read. */
export interface ChunkState {
  /** The event before said one text and nothing else: most of those that follow differ in their text alone. */
  repeated: RepeatedText | undefined
  /** Templates in a row that the next event did not match. */
  misses: number
  executed: ExecutedTools
  hasStarted: boolean
  /** Something of the response came: a buffered response behind it only repeats it. */
  hasDelivered: boolean
  readonly candidates: Map<number, CandidateState>
  /** See `StreamDecoder.start`. */
  readonly isForwarded: boolean
}

type TextDelta = Extract<ChatPart, { type: 'text-delta' | 'reasoning-delta' }>

interface RepeatedText {
  readonly template: DeltaTemplate
  readonly part: TextDelta
}

/** An upstream whose every event differs in more than its text is not worth another template. */
export const maxMisses = 16

interface CandidateState {
  isOpen: boolean
  isStopped: boolean
  hasRefusal: boolean
  readonly calls: ToolCallDeltas
}

/** The state of a stream of which nothing has been read. */
export function newChunkState(isForwarded = false): ChunkState {
  return {
    isForwarded,
    repeated: undefined,
    misses: 0,
    executed: noTools,
    hasStarted: false,
    hasDelivered: false,
    candidates: new Map(),
  }
}

export const decodeStream: StreamDecoder<ChunkState> = {
  start: newChunkState,
  step(state, { event, data }) {
    const repeated = event === '' ? readRepeated(state, data) : undefined
    if (repeated !== undefined) return [repeated]
    if (isEndMark(data)) return [{ type: 'end' }]
    const chunk = parseEvent(data, '"arguments"')
    if (event === 'error' || !isObject(chunk) || isFailedChunk(chunk)) {
      return [{ type: 'error', error: decodeErrorBody({ status: 200, headers: {}, body: data }) }]
    }
    if (!state.isForwarded) expectChunk(chunk)
    const parts = readChunk(state, chunk)
    if (state.repeated !== undefined) state.misses += 1
    state.repeated = state.misses < maxMisses ? repeatedText(parts, chunk, data) : undefined
    return parts
  },
  finish: () => [],
}

/** The part of an event that is the one before with another text. */
function readRepeated(state: ChunkState, data: string): TextDelta | undefined {
  const { repeated } = state
  if (repeated === undefined) return undefined
  const text = matchTemplate(repeated.template, data)
  // Without a character it would say nothing.
  if (text === undefined || text === '') return undefined
  state.misses = 0
  const { type, candidate } = repeated.part
  return { type, candidate, text }
}

function repeatedText(parts: readonly ChatPart[], chunk: JsonObject, data: string): RepeatedText | undefined {
  const [part, ...others] = parts
  if (others.length > 0 || (part?.type !== 'text-delta' && part?.type !== 'reasoning-delta')) return undefined
  const template = templateOf(chunk, data)
  return template && { template, part }
}

/** Returns whether an event is `[DONE]`. */
export function isEndMark(data: string): boolean {
  return data.trim() === '[DONE]'
}

/** The upstream reports a failure inside its response. */
export function isFailedChunk(chunk: JsonObject): boolean {
  return (
    isFailure(chunk) || listOf(chunk.choices).some((choice) => isFailedFinish(objectOf(choice).finish_reason))
  )
}

/** A buffered response once more, where a stream should have ended (MiniMax): its text must not count twice. */
export function isRepeat({ hasDelivered }: ChunkState, { choices }: JsonObject): boolean {
  if (!hasDelivered || !Array.isArray(choices) || choices.length === 0) return false
  return choices.every((choice) => isObject(choice?.message) && !isObject(choice.delta))
}

const choiceMembers: MemberShapes = { delta: 'object', message: 'object', text: 'text' }
const deltaMembers: MemberShapes = { content: 'text or list', reasoning_content: 'text', refusal: 'text' }
const calledMembers: MemberShapes = { name: 'text', arguments: 'text or object' }

/**
 * Checks the members that translation reads: a member of another type must not lose content silently.
 * @throws MalformedFrameError
 */
function expectChunk({ choices }: JsonObject): void {
  for (const choice of objectsOf(choices, 'choices')) {
    expectMembers(choice, choiceMembers)
    const delta = objectOf(choice.delta ?? choice.message)
    expectMembers(delta, deltaMembers)
    for (const call of objectsOf(delta.tool_calls, 'tool_calls')) {
      expectMembers(call, { function: 'object' })
      expectMembers(objectOf(call.function), calledMembers)
    }
  }
}

/** Returns what one event of a stream, or a buffered response, says. */
export function readChunk(state: ChunkState, chunk: JsonObject): readonly ChatPart[] {
  const parts: ChatPart[] = []
  const choices = listOf(chunk.choices)
  const repeats = isRepeat(state, chunk)
  // Azure's first event judges the prompt: it has no id yet.
  if (!state.hasStarted && (choices.length > 0 || textOf(chunk.id) !== '')) {
    state.hasStarted = true
    parts.push(startOf(chunk))
  }
  if (isEnding(choices)) parts.push(...readSources(chunk))
  for (const choice of choices) if (isObject(choice)) readChoice(state, choice, repeats, parts)
  state.executed = executedIn(state.executed, chunk)
  const usage = findUsage(chunk, state.executed)
  if (usage !== undefined) parts.push({ type: 'usage', usage })
  return parts
}

/** Recognises the ending of a stream. Every event may repeat what the response is drawn from: the last one counts. */
function isEnding(choices: readonly unknown[]): boolean {
  return choices.some((choice) => finishOf(objectOf(choice)) !== '')
}

function startOf({ id, model, created }: JsonObject): ChatPart {
  const createdAt = numberOf(created) ?? 0
  return { type: 'start', id: textOf(id), model: textOf(model), createdAt }
}

function readChoice(state: ChunkState, choice: JsonObject, repeats: boolean, parts: ChatPart[]): void {
  const index = numberOf(choice.index) ?? 0
  const candidate = candidateOf(state, index)
  const delta = objectOf(isObject(choice.delta) ? choice.delta : choice.message)
  const before = parts.length
  // MiniMax shows the results of its own search, which are no response.
  if (!repeats && delta.role !== 'tool') {
    // The text of completions.
    if (typeof choice.text === 'string' && choice.text !== '')
      parts.push({ type: 'text-delta', candidate: index, text: choice.text })
    readDelta(index, delta, parts)
    readToolCalls(candidate.calls, index, delta, parts)
    const logprobs = readLogprobs(choice.logprobs)
    if (logprobs.length > 0) parts.push({ type: 'logprobs', candidate: index, logprobs })
  }
  candidate.hasRefusal ||= textOf(delta.refusal) !== ''
  if (parts.length > before) {
    state.hasDelivered = true
    candidate.isOpen = true
  }
  if (!candidate.isOpen && (typeof choice.text === 'string' || Object.keys(delta).length > 0)) {
    candidate.isOpen = true
    parts.push({ type: 'open', candidate: index })
  }
  readFinish(candidate, index, choice, parts)
}

function readFinish(candidate: CandidateState, index: number, choice: JsonObject, parts: ChatPart[]): void {
  if (finishOf(choice) === '' || candidate.isStopped) return
  candidate.isStopped = true
  const { calls, hasRefusal } = candidate
  endToolCalls(calls, index, parts)
  const stop = decodeStop(choice, { hasToolCalls: calls.count > 0, hasRefusal })
  parts.push({ type: 'stop', candidate: index, stop })
}

function candidateOf({ candidates }: ChunkState, index: number): CandidateState {
  const known = candidates.get(index)
  if (known !== undefined) return known
  const made = { isOpen: false, isStopped: false, hasRefusal: false, calls: { open: new Map(), count: 0 } }
  candidates.set(index, made)
  return made
}
