import type { Reply } from '@tollgate/http/server'
import type { CompleteResponse, StartedStream } from '../attempts/attempt-result.ts'
import type { SuccessfulAttempt } from '../attempts/attempts.ts'
import { type RelayCall, replyHeaders, requestIdHeaders, warningHeaders } from '../call.ts'
import { outlivesCaller } from '../charge/call-charge.ts'
import { countedUsage, servedBy } from '../charge/counted-usage.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { type StreamContext, StreamResponse } from './stream-response.ts'

const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } as const

/**
 * Streams a response that has started: forwards frames as the caller takes them (back-pressure), and sends the end mark only
 * after the call is settled. Charges what was delivered whatever ends the stream early, also when the caller stops reading:
 * a caller cannot leave a call open and unpaid.
 */
export function streamReply(
  context: StreamContext,
  { candidate, started }: SuccessfulAttempt<StartedStream>,
): Reply {
  const { call, charge } = context
  if (call.connection.isDisconnected && !outlivesCaller(call.request, charge.price)) {
    started.exchange.end('client')
    throw new RelayError('client_gone', 'The caller hung up.')
  }
  const response = new StreamResponse(context)
  response.begin(candidate, started)
  return replyOf(call, response, started)
}

/**
 * Starts a response before any upstream has responded: pings keep it alive while attempts and failover go on. The status has
 * been sent by then, so a failure is an event of the stream.
 * @param attempting resolves to a response that has started, or rejects with a `RelayError`
 */
export function pingedReply(context: StreamContext, attempting: Promise<SuccessfulAttempt>): Reply {
  const response = new StreamResponse(context)
  attempting
    // A call for a stream gets a stream, or its attempt has failed.
    .then(({ candidate, started }) => response.begin(candidate, started as StartedStream))
    .catch((error) => response.refuse(error))
  return replyOf(context.call, response, { dropped: [] })
}

function replyOf(
  call: RelayCall,
  body: StreamResponse,
  {
    dropped,
    reader,
    contentType = call.request.streamForm.contentType,
  }: Pick<StartedStream, 'dropped' | 'contentType'> & Partial<Pick<StartedStream, 'reader'>>,
): Reply {
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      ...streamHeaders,
      ...requestIdHeaders(call),
      ...warningHeaders(dropped, reader?.leftOut),
    },
    body,
  }
}

/**
 * The attempt that succeeds before the caller's connection needs a ping; `undefined` when the ping is due first. Callers whose
 * streams have no ping wait for the attempt itself.
 */
export function startedBeforePing(
  { call, deps }: StreamContext,
  attempting: Promise<SuccessfulAttempt>,
): Promise<SuccessfulAttempt | undefined> {
  const { request } = call
  const { pingMs } = deps.pings
  if (pingMs === undefined || !request.stream || request.streamForm.ping === undefined) return attempting
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const deadline = deps.deadlines.start(pingMs, () => resolve(undefined))
  return Promise.race([attempting, promise]).finally(() => deadline.clear())
}

/**
 * Charges a buffered response before its first byte leaves: a caller that has it has paid for it, even if the process dies
 * right after. A caller that has disconnected pays as well, because its upstream was paid.
 */
export async function bufferedReply(
  { call, charge, grant, entry, deps }: StreamContext,
  candidate: Candidate,
  { contentType, reading, dropped }: CompleteResponse,
): Promise<Reply> {
  call.trace.firstTokenMs = Math.round(deps.clock.now() - call.startedAt)
  const counting = countedUsage(call.request, candidate, {
    usage: reading.usage,
    latestUsage: reading.latestUsage ?? reading.usage,
    delivered: () => reading.delivered(),
  })
  const known = counting instanceof Promise ? await counting : counting
  const counted = reading.made === undefined ? known : { ...known, made: reading.made }
  // Before the charge: a response that cannot be written in the caller's format is not charged.
  const body = reading.encode(counted.usage)
  const disconnected = call.connection.isDisconnected ? 'client_gone' : undefined
  const ended = reading.ended ?? disconnected
  const settling = charge.settle({ ...servedBy(candidate), ...counted, ended })
  if (settling !== undefined) await settling
  charge.record()
  call.storeResponse?.(body)
  grant.release({ succeeded: true, usage: counted.usage })
  entry.leave()
  const headers = replyHeaders(contentType, call)
  const hasWarnings = dropped.length > 0 || reading.leftOut !== undefined
  return {
    status: 200,
    headers: hasWarnings ? { ...headers, ...warningHeaders(dropped, reading.leftOut) } : headers,
    body,
    // The response was received for this reply alone, and counted before.
    isBodyFreed: reading.outline !== undefined && call.storeResponse === undefined,
  }
}
