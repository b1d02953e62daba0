import type { Reply } from '@tollgate/http/server'
import type { BegunStream } from '../attempts/attempt-result.ts'
import type { Answered } from '../attempts/attempts.ts'
import { type RelayCall, requestIdHeaders, warningHeaders } from '../call.ts'
import { outlivesCaller } from '../charge/per-call.ts'
import { RelayError } from '../relay-error.ts'
import { StreamAnswer, type StreamContext } from './stream-answer.ts'

const streamHeaders = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' } as const

/**
 * An answer whose upstream has begun: frames are forwarded as the caller takes them (back-pressure), and the end mark
 * leaves only after the call is settled. Whatever ends it early, what was delivered is charged: also when the caller never
 * asks for more, so that nobody keeps a call open, and unpaid, by not reading.
 */
export function streamAnswer(context: StreamContext, { candidate, begun }: Answered<BegunStream>): Reply {
  const { call, charge } = context
  if (call.connection.isGone && !outlivesCaller(call.request, charge.price)) {
    begun.exchange.end('client')
    throw new RelayError('client_gone', 'The caller hung up.')
  }
  const answer = new StreamAnswer(context)
  answer.begin(candidate, begun)
  return replyOf(call, answer, begun)
}

/**
 * An answer that begins before any upstream has: pings keep it alive while attempts, and failover, go on. From here on the
 * status is told, so a failure is an event of the stream.
 * @param answering ends in an answer that has begun, or in a `RelayError`
 */
export function pingedAnswer(context: StreamContext, answering: Promise<Answered<BegunStream>>): Reply {
  const answer = new StreamAnswer(context)
  answering
    .then(({ candidate, begun }) => answer.begin(candidate, begun))
    .catch((error) => answer.refuse(error))
  return replyOf(context.call, answer, { dropped: [] })
}

function replyOf(
  call: RelayCall,
  body: StreamAnswer,
  {
    dropped,
    contentType = call.request.streamForm.contentType,
  }: Pick<BegunStream, 'dropped' | 'contentType'>,
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
