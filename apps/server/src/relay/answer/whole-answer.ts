import type { Usage } from '@tollgate/formats'
import type { Reply } from '@tollgate/http/server'
import type { BegunWhole } from '../attempts/attempt-result.ts'
import { answerHeaders, type RelayCall, warningHeaders } from '../call.ts'
import type { CallCharge } from '../charge/call-charge.ts'
import type { CountedUsage, EarlyEnd } from '../charge/delivery.ts'
import type { Candidate } from '../routing/candidates.ts'

/**
 * Charges an answer that was read whole, before its first byte leaves: a caller that has it has paid for it, even if the
 * process dies right after. A caller that is gone pays as well: its upstream was paid. What was charged is still to be
 * recorded.
 */
export function settleWhole(
  { connection }: RelayCall,
  { channel, upstreamModel }: Candidate,
  counted: CountedUsage,
  charge: CallCharge,
  ended?: EarlyEnd,
): void {
  const gone = connection.isGone ? 'client_gone' : undefined
  charge.settle({ channel, upstreamModel, ...counted, ended: ended ?? gone })
}

type WholeReply = Reply & { readonly body: string | Uint8Array }

/** In the upstream's own format the body goes out byte for byte as the upstream sent it. */
export function wholeAnswer(
  call: RelayCall,
  { contentType, reading, dropped }: BegunWhole,
  charged: Usage,
): WholeReply {
  const headers = answerHeaders(contentType, call)
  return {
    status: 200,
    headers: dropped.length === 0 ? headers : { ...headers, ...warningHeaders(dropped) },
    body: reading.encode(charged),
  }
}
