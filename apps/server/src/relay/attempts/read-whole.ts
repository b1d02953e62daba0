import { WireAnswer } from '@tollgate/formats'
import type { UpstreamBody } from '../../upstream/call-body.ts'
import { type Exchange, unanswered } from '../../upstream/exchange.ts'
import type { RelayCall } from '../call.ts'
import type { AnswerContext } from '../dialects/dialect.ts'
import type { Candidate } from '../routing/candidates.ts'
import { filteredWhole } from '../words/filter-answer.ts'
import type { AttemptDependencies, AttemptResult } from './attempt-result.ts'

/** The call itself where its channel wants nothing of its answers, as nearly all do. */
export function answerContext(call: RelayCall, { channel }: Candidate): AnswerContext {
  const { forceFormat, thinkingToContent } = channel.setting
  if (!forceFormat && !thinkingToContent) return call
  const { requestId, createdAt } = call
  return { requestId, createdAt, form: { knownFieldsOnly: forceFormat, thoughtsInText: thinkingToContent } }
}

export function malformed(exchange: Exchange, message: string): AttemptResult {
  const { endedBy } = exchange
  exchange.end('shutdown')
  return { ok: false, error: unanswered('upstream_bug', message), endedBy }
}

export function readWhole(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  bytes: Uint8Array | undefined,
  { dropped }: UpstreamBody,
  { words }: AttemptDependencies,
): AttemptResult {
  if (bytes === undefined) return malformed(exchange, 'The upstream sent an answer that is too large.')
  const answer = wireAnswer(bytes, exchange)
  const reading = call.request.readAnswer(answer, candidate.operation, answerContext(call, candidate))
  if (!reading.ok) return { ok: false, error: reading.error, endedBy: undefined }
  const contentType = reading.contentType ?? jsonTypeOf(answer)
  const filter = words.answers()
  const clean = filter === undefined ? reading : filteredWhole(reading, call.request, filter)
  return { ok: true, begun: { kind: 'whole', reading: clean, contentType, dropped } }
}

const json = 'application/json'
const sendableJsonType = /^application\/json\b[ -~]*$/i

/** The body was read as JSON and goes out as such: an upstream must not have a browser take it for a page of ours. */
function jsonTypeOf({ contentType }: WireAnswer): string {
  return contentType === json || sendableJsonType.test(contentType) ? contentType : json
}

export function wireAnswer(bytes: Uint8Array, { answer }: Exchange): WireAnswer {
  return new WireAnswer(bytes, answer.header('content-type') ?? '')
}
