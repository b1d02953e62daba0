import type { Usage } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { CompleteResponse } from '../attempts/attempt-result.ts'
import { type RelayCall, replyHeaders, warningHeaders } from '../call.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import type { CountedUsage, EarlyEnd } from '../charge/delivery.ts'
import type { Candidate } from '../routing/candidates.ts'

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
