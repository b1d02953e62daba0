import type { Usage } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { CompleteResponse, StartedStream } from '../attempts/attempt-result.ts'
import type { SuccessfulAttempt } from '../attempts/attempts.ts'
import { type RelayCall, replyHeaders, requestIdHeaders, warningHeaders } from '../call.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import { outlivesCaller } from '../charge/call-charge.ts'
import type { CountedUsage, EarlyEnd } from '../charge/counted-usage.ts'
import { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { type StreamContext, StreamResponse } from './stream-response.ts'

const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } as const

/**
 * An answer whose upstream has begun: frames are forwarded as the caller takes them (back-pressure), and the end mark
 * leaves only after the call is settled. Whatever ends it early, what was delivered is charged: also when the caller never
 * asks for more, so that nobody keeps a call open, and unpaid, by not reading.
 */
export function streamResponse(
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
 * An answer that begins before any upstream has: pings keep it alive while attempts, and failover, go on. From here on the
 * status is told, so a failure is an event of the stream.
 * @param answering ends in an answer that has begun, or in a `RelayError`
 */
export function pingedResponse(
  context: StreamContext,
  attempting: Promise<SuccessfulAttempt<StartedStream>>,
): Reply {
  const response = new StreamResponse(context)
  attempting
    .then(({ candidate, started }) => response.begin(candidate, started))
    .catch((error) => response.refuse(error))
  return replyOf(context.call, response, { dropped: [] })
}

function replyOf(
  call: RelayCall,
  body: StreamResponse,
  {
    dropped,
    contentType = call.request.streamForm.contentType,
  }: Pick<StartedStream, 'dropped' | 'contentType'>,
): Reply {
  return {
    status: 200,
    headers: {
      'content-type': contentType,
      ...streamHeaders,
      ...requestIdHeaders(call),
      ...warningHeaders(dropped),
    },
    body,
  }
}

/**
 * Charges an answer that was read whole, before its first byte leaves: a caller that has it has paid for it, even if the
 * process dies right after. A caller that is gone pays as well: its upstream was paid. What was charged is still to be
 * recorded.
 */
export function settleBuffered(
  { connection }: RelayCall,
  { channel, upstreamModel }: Candidate,
  counted: CountedUsage,
  charge: CallCharge,
  ended?: EarlyEnd,
): void {
  const gone = connection.isDisconnected ? 'client_gone' : undefined
  charge.settle({ channel, upstreamModel, ...counted, ended: ended ?? gone })
}

type BufferedReply = Reply & { readonly body: string | Uint8Array }

/** In the upstream's own format the body goes out byte for byte as the upstream sent it. */
export function bufferedReply(
  call: RelayCall,
  { contentType, reading, dropped }: CompleteResponse,
  charged: Usage,
): BufferedReply {
  const headers = replyHeaders(contentType, call)
  return {
    status: 200,
    headers: dropped.length === 0 ? headers : { ...headers, ...warningHeaders(dropped) },
    body: reading.encode(charged),
  }
}
