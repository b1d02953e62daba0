import type { Reply } from '@tollgate/http/server'
import type { StartedStream } from '../attempts/attempt-result.ts'
import type { SuccessfulAttempt } from '../attempts/attempts.ts'
import { type RelayCall, requestIdHeaders, warningHeaders } from '../call.ts'
import { outlivesCaller } from '../charge/per-call.ts'
import { RelayError } from '../relay-error.ts'
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
