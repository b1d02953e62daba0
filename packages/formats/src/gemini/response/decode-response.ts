import type { DecodedResponse } from '../../canonical/codec.ts'
import type { AssistantPart } from '../../canonical/request.ts'
import type { Candidate, ChatResponse } from '../../canonical/response.ts'
import type { ChatPart } from '../../canonical/stream.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../json/value.ts'
import type { Usage } from '../../usage.ts'
import { member } from '../fields.ts'
import { type CandidateReading, callIdOf, createdAtOf, isBlocked, readCandidate } from './candidate.ts'
import { decodeError } from './error.ts'
import { failedEnd, stopOf } from './stop.ts'
import { groundingIn, noGrounding, readUsage, withGrounding } from './usage.ts'

/**
 * Reads a 2xx response. A prompt that was blocked is a response that a filter stopped, with the prompt's usage. A response
 * without candidates, or one whose model failed (MALFORMED_FUNCTION_CALL), is a failure.
 */
export function decodeResponse(body: unknown): DecodedResponse {
  if (!isObject(body) || isObject(body.error)) return failed(body)
  const readings = listOf(body.candidates).map((candidate, index) =>
    readCandidate(objectOf(candidate), index),
  )
  const failure = readings
    .map((reading) => failedEnd(reading.finishReason, reading.finishMessage))
    .find(Boolean)
  if (failure !== undefined) return { ok: false, error: failure }
  const blocked = readings.length === 0 && isBlocked(body)
  if (readings.length === 0 && !blocked) return failed(body)
  const id = textOf(member(body, 'responseId'))
  return {
    ok: true,
    response: {
      id,
      model: textOf(member(body, 'modelVersion')),
      createdAt: createdAtOf(body),
      candidates: blocked ? [blockedCandidate] : readings.map((reading) => candidateOf(reading, id)),
      usage: usageOf(body, readings),
      ...namesOf(readings.flatMap(({ leftOut }) => leftOut)),
    },
  }
}

function namesOf(leftOut: readonly ChatPart[]): Pick<ChatResponse, 'leftOut'> {
  const names = leftOut.flatMap((part) => (part.type === 'left-out' ? [part.name] : []))
  return names.length === 0 ? {} : { leftOut: names }
}

/** The upstream delivered content and counted no tokens for it: the count is invalid. */
function usageOf(body: JsonObject, readings: readonly CandidateReading[]): Usage | undefined {
  const usage = readUsage(member(body, 'usageMetadata'))
  const delivers = readings.some(({ parts }) => parts.some(isDelivered))
  if (usage === undefined || (usage.outputTokens === 0 && delivers)) return undefined
  return withGrounding(usage, groundingIn(noGrounding, body), body, textOf(member(body, 'modelVersion')))
}

function isDelivered(part: AssistantPart): boolean {
  return part.type === 'tool-call' || part.type === 'media' || part.text !== ''
}

const blockedCandidate: Candidate = { index: 0, parts: [], stop: { reason: 'content-filter' } }

function candidateOf(reading: CandidateReading, responseId: string): Candidate {
  const { index, citations, logprobs } = reading
  const parts = withCallIds(reading, responseId)
  const hasCalls = parts.some((part) => part.type === 'tool-call')
  return {
    index,
    parts,
    stop: stopOf(reading.finishReason, hasCalls) ?? { reason: hasCalls ? 'tool-calls' : 'stop' },
    ...(logprobs.length > 0 && { logprobs }),
    ...(citations.length > 0 && { citations }),
  }
}

function withCallIds({ parts, index }: CandidateReading, responseId: string): readonly AssistantPart[] {
  let calls = 0
  return parts.map((part) => {
    if (part.type !== 'tool-call') return part
    return { ...part, id: part.id || callIdOf(responseId, index, calls++) }
  })
}

function failed(body: unknown): DecodedResponse {
  const empty: JsonObject = { error: { message: 'the upstream responded without candidates' } }
  const reported = isObject(body) && !isObject(body.error) ? empty : body
  return { ok: false, error: decodeError({ status: 200, headers: {}, body: JSON.stringify(reported) ?? '' }) }
}
