import type { Reply } from '@tollgate/http/server'
import type { Begun } from './attempt.ts'
import { answerHeaders, type RelayCall } from './call.ts'
import type { Candidate } from './candidates.ts'
import type { CountedUsage } from './counted-usage.ts'
import { RelayError } from './relay-error.ts'
import type { Till } from './till.ts'

/**
 * Charges an answer that was read whole, before its first byte leaves: a caller that has it has paid for it, even if the
 * process dies right after. What was charged is still to be recorded.
 */
export function settleWhole(
  { connection }: RelayCall,
  { channel, upstreamModel }: Candidate,
  { usage, estimated }: CountedUsage,
  till: Till,
): void {
  if (connection.isGone) throw new RelayError('client_gone', 'The caller hung up.')
  till.settle({ channel, upstreamModel, usage, estimated, ended: undefined })
}

/** The body goes out byte for byte as the upstream sent it. */
export function wholeAnswer(
  call: RelayCall,
  { contentType, body }: Extract<Begun, { kind: 'whole' }>,
): Reply {
  return { status: 200, headers: answerHeaders(contentType, call), body }
}
