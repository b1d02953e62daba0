import { isObject, type LinkedFiles, RequestFault, WireAnswer } from '@tollgate/formats'
import type { UpstreamBody } from '../../upstream/call-body.ts'
import { type Exchange, unanswered } from '../../upstream/exchange.ts'
import type { RelayCall } from '../call.ts'
import type { AnswerContext, WholeReading } from '../dialects/dialect.ts'
import type { InFlightEntry } from '../in-flight.ts'
import type { Candidate } from '../routing/candidates.ts'
import { filteredWhole } from '../words/filter-answer.ts'
import type { AttemptDependencies, AttemptResult, FailedAttempt } from './attempt-result.ts'
import { lostResult } from './task-result.ts'

/** The call itself where its channel wants nothing of its answers, as nearly all do. */
export function answerContext(call: RelayCall, { channel }: Candidate): AnswerContext {
  const { forceFormat, thinkingToContent } = channel.setting
  if (!forceFormat && !thinkingToContent) return call
  const { requestId, createdAt, nowSeconds } = call
  return {
    requestId,
    createdAt,
    nowSeconds,
    form: { knownFieldsOnly: forceFormat, thoughtsInText: thinkingToContent },
  }
}

export function malformed(exchange: Exchange, message: string): AttemptResult {
  const { endedBy } = exchange
  exchange.end('shutdown')
  return { ok: false, error: unanswered('upstream_bug', message), endedBy, mayBeDone: true }
}

/** What an answer that was read whole is to its caller. A promise only where files of it must be fetched before. */
export function readWhole(
  call: RelayCall,
  candidate: Candidate,
  answer: WireAnswer,
  { dropped }: UpstreamBody,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
): AttemptResult | Promise<AttemptResult> {
  const reading = call.request.readAnswer(answer, candidate.operation, answerContext(call, candidate))
  // A 2xx that nobody can read may be the response to work that was done.
  if (!reading.ok) {
    const { error } = reading
    const mayBeDone = error.kind === 'upstream_bug' && !isObject(answer.json)
    return { ok: false, error, endedBy: undefined, mayBeDone }
  }
  const begin = (whole: Read) => begunWhole(call, whole, answer, dropped, deps.words)
  if (reading.linked === undefined) return begin(reading)
  return withFiles(reading.linked, candidate, deps.media, entry).then((whole) =>
    'error' in whole ? whole : begin(whole),
  )
}

type Read = Extract<WholeReading, { ok: true }>

function begunWhole(
  { request }: RelayCall,
  reading: Read,
  answer: WireAnswer,
  dropped: readonly string[],
  words: AttemptDependencies['words'],
): AttemptResult {
  const contentType = reading.contentType ?? jsonTypeOf(answer)
  const filter = words.answers()
  const clean = filter === undefined ? reading : filteredWhole(reading, request, filter)
  return { ok: true, begun: { kind: 'whole', reading: clean, contentType, dropped } }
}

async function withFiles(
  linked: LinkedFiles<Read>,
  { channel }: Candidate,
  media: AttemptDependencies['media'],
  entry: Pick<InFlightEntry, 'opened'>,
): Promise<Read | FailedAttempt> {
  try {
    return linked.withFiles(await media.results(linked.urls, channel, entry))
  } catch (error) {
    if (!(error instanceof RequestFault)) throw error
    return lostResult('The upstream made files that cannot be fetched. Ask for their addresses.')
  }
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
