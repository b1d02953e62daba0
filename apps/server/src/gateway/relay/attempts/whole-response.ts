import { type ContentShape, contentShape, deliveringMember, WholeBodyReader } from '@tollgate/formats'
import { limitsAfterOverride } from '../../../billing/pricing/output-limits.ts'
import type { UpstreamBody } from '../../../upstream/call-body.ts'
import type { Exchange } from '../../../upstream/exchange.ts'
import type { ReadBody } from '../../../upstream/response-body/read-body.ts'
import type { ResponseHold } from '../../../upstream/response-body/response-memory.ts'
import type { RelayCall } from '../call.ts'
import { byteForm } from '../dialects/stream-form.ts'
import { overloadError } from '../overload-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { AttemptDependencies, AttemptResult } from './attempt-result.ts'
import { namedWhole } from './caller-name.ts'
import { jsonTypeOf, malformed, responseContext, wireResponse } from './read-buffered-response.ts'

/** The member from which on a large response may pass to its caller before it is whole; `undefined` where it may not. */
export function passingMember(
  call: RelayCall,
  candidate: Candidate,
  body: UpstreamBody,
  { contentFilter }: Pick<AttemptDependencies, 'contentFilter'>,
): string | undefined {
  const { request, storeResponse } = call
  const { operation } = candidate
  // What is longer than its caller's limit has to end in its middle, which nothing that has left can do.
  const { maxOutputTokens = 0 } = limitsAfterOverride(request, candidate.channel.paramOverride)
  const isReadWhole =
    maxOutputTokens > 0 ||
    storeResponse !== undefined ||
    operation.polling !== undefined ||
    contentFilter.responses() !== undefined
  if (isReadWhole || request.format !== operation.format) return undefined
  const passes = request.passesWhole?.(operation, responseContext(call, candidate, body)) === true
  return passes ? deliveringMember(request.format) : undefined
}

/** Position of the content of a response of which its outline is read; `undefined` where the response itself has to be. */
export function outlinedContent(
  call: RelayCall,
  candidate: Candidate,
  body: UpstreamBody,
  { contentFilter }: Pick<AttemptDependencies, 'contentFilter'>,
): ContentShape | undefined {
  const { request } = call
  const { operation } = candidate
  const isRead = operation.polling !== undefined || contentFilter.responses() !== undefined
  if (isRead || request.format !== operation.format) return undefined
  const passes = request.passesWhole?.(operation, responseContext(call, candidate, body)) === true
  return passes ? contentShape(request.format) : undefined
}

/** A response that passes as it comes: its usage is read of its outline when it has ended. */
export function beginWhole(
  call: RelayCall,
  candidate: Candidate,
  exchange: Exchange,
  body: UpstreamBody,
  { outline, pieces }: Extract<ReadBody, { readonly kind: 'passing' }>,
  { limits }: Pick<AttemptDependencies, 'limits'>,
): AttemptResult {
  const context = responseContext(call, candidate, body)
  const received = new WholeBodyReader({
    outline,
    maxBytes: limits.responseBytes,
    read: (bytes) => call.request.readResponse(wireResponse(bytes, exchange), candidate.operation, context),
  })
  // Before the pieces that have come, because an edit goes on from one to the next.
  const { reader, edited } = namedWhole(received, call)
  const held = edited(received.begin(pieces))
  const contentType = jsonTypeOf(wireResponse(noBytes, exchange))
  const start = { held, unread: undefined, done: false, failure: undefined, contentType, form: byteForm }
  return { ok: true, started: { kind: 'stream', exchange, reader, ...start, dropped: body.dropped } }
}

const noBytes = new Uint8Array()

/** Factor of a translation's memory to the body that it reads: the text of it, and the one that it writes. */
const translationFactor = 2

/** Takes the memory of a translation, where there is one. */
export async function takeTranslation(
  hold: ResponseHold,
  { request }: Pick<RelayCall, 'request'>,
  { operation }: Pick<Candidate, 'operation'>,
  bytes: number,
): Promise<Extract<ReadBody, { readonly kind: 'refused' }> | undefined> {
  if (request.format === operation.format) return undefined
  const refused = await hold.take(bytes * translationFactor)
  return refused === undefined ? undefined : { kind: 'refused', room: refused }
}

/** The result of a body that was not read to its end, or may not be translated; its exchange is over. */
export function unusableBody(
  exchange: Exchange,
  read: Exclude<ReadBody, { readonly kind: 'complete' }>,
): AttemptResult {
  const failed = malformed(exchange, read.kind === 'unusable' ? read.message : '')
  return read.kind === 'refused' && !failed.ok ? { ...failed, refusal: overloadError(read.room) } : failed
}
