import { type BodyFindings, isObject, type LinkedFiles, RequestFault, WireResponse } from '@tollgate/formats'
import { limitsAfterOverride } from '../../../billing/pricing/output-limits.ts'
import type { UpstreamBody } from '../../../upstream/call-body.ts'
import { type Exchange, noResponseError } from '../../../upstream/exchange.ts'
import type { ResponseHold } from '../../../upstream/response-body/response-memory.ts'
import type { RelayCall } from '../call.ts'
import { boundedReading } from '../charge/bounded-reading.ts'
import { filteredReading } from '../content-filter.ts'
import type { ResponseContext, ResponseReading } from '../dialects/dialect.ts'
import type { InFlightEntry } from '../in-flight.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { AttemptDependencies, AttemptResult, FailedAttempt } from './attempt-result.ts'
import { namedReading } from './caller-name.ts'
import { lostResult } from './task-result.ts'

/** Returns the call itself unless its channel or its body changes how responses are written, which is rare. */
export function responseContext(
  call: RelayCall,
  { channel }: Candidate,
  { toolNames }: UpstreamBody,
): ResponseContext {
  const { forceFormat, thinkingToContent } = channel.setting
  const isFormed = forceFormat || thinkingToContent
  const isRenamed = toolNames !== undefined && toolNames.size > 0
  if (!isFormed && !isRenamed) return call
  const { requestId, createdAt, nowSeconds } = call
  return {
    requestId,
    createdAt,
    nowSeconds,
    ...(isFormed && { form: { knownFieldsOnly: forceFormat, reasoningInText: thinkingToContent } }),
    ...(isRenamed && { toolNames }),
  }
}

export function malformed(exchange: Exchange, message: string): AttemptResult {
  const { endedBy } = exchange
  exchange.end('shutdown')
  return { ok: false, error: noResponseError('upstream_bug', message), endedBy, outcomeUnknown: true }
}

/** Decodes a buffered response for its caller. A promise only where files of it must be fetched first. */
export function readBufferedResponse(
  call: RelayCall,
  candidate: Candidate,
  response: WireResponse,
  body: UpstreamBody,
  deps: AttemptDependencies,
  entry: Pick<InFlightEntry, 'opened'>,
  enter: () => ResponseHold,
): AttemptResult | Promise<AttemptResult> {
  const context = responseContext(call, candidate, body)
  const reading = call.request.readResponse(response, candidate.operation, context)
  // An unreadable 2xx may be the response to work that was done.
  if (!reading.ok) {
    const { error } = reading
    const outcomeUnknown = error.kind === 'upstream_bug' && !isObject(response.json)
    return { ok: false, error, endedBy: undefined, outcomeUnknown }
  }
  const limits = limitsAfterOverride(call.request, candidate.channel.paramOverride)
  const begin = (complete: Read) => {
    const bounding = boundedReading(complete, call.request, limits, response.bytes.length)
    const finish = (bounded: Read) =>
      completeResponse(call, bounded, response, body.dropped, deps.contentFilter)
    return bounding instanceof Promise ? bounding.then(finish) : finish(bounding)
  }
  if (reading.linked === undefined) return begin(reading)
  return withFiles(reading.linked, candidate, deps.media, entry, enter).then((complete) =>
    'error' in complete ? complete : begin(complete),
  )
}

type Read = Extract<ResponseReading, { ok: true }>

function completeResponse(
  call: RelayCall,
  reading: Read,
  response: WireResponse,
  dropped: readonly string[],
  contentFilter: AttemptDependencies['contentFilter'],
): AttemptResult {
  const { request } = call
  const contentType = reading.contentType ?? jsonTypeOf(response)
  const filter = contentFilter.responses()
  const clean = filter === undefined ? reading : filteredReading(reading, request, filter)
  return {
    ok: true,
    started: { kind: 'buffered', reading: namedReading(clean, contentType, call), contentType, dropped },
  }
}

async function withFiles(
  linked: LinkedFiles<Read>,
  { channel }: Candidate,
  media: AttemptDependencies['media'],
  entry: Pick<InFlightEntry, 'opened'>,
  enter: () => ResponseHold,
): Promise<Read | FailedAttempt> {
  try {
    return linked.withFiles(await media.results(linked.urls, channel, entry, enter))
  } catch (error) {
    if (error instanceof RelayError) return { ...lostResult(error.message), refusal: error }
    if (!(error instanceof RequestFault)) throw error
    return lostResult('The upstream made files that cannot be fetched. Ask for their addresses.')
  }
}

const json = 'application/json'
const sendableJsonType = /^application\/json\b[ -~]*$/i

/**
 * Returns the type of a JSON response: one that was read as JSON goes out as JSON, so that no upstream can make a browser render it as
 * a page of ours.
 */
export function jsonTypeOf({ contentType }: WireResponse): string {
  return contentType === json || sendableJsonType.test(contentType) ? contentType : json
}

/** Makes the response of its bytes and its head. */
export function wireResponse(
  bytes: Uint8Array,
  { response }: Exchange,
  findings?: BodyFindings,
): WireResponse {
  const header = (name: string) => response.header(name)
  return new WireResponse(bytes, header('content-type') ?? '', header, findings)
}
