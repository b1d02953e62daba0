import { together } from '../lib/convoy.ts'
import type { Begun } from './attempt.ts'
import { answerHeaders, type RelayCall } from './call.ts'
import type { Candidate } from './candidates.ts'
import { countedUsage } from './counted-usage.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError } from './relay-error.ts'
import type { Till } from './till.ts'

/**
 * Answers with a body that was read whole, byte for byte as the upstream sent it. Settled and recorded before the first
 * byte leaves: a caller that has the answer has paid for it, even if the process dies right after.
 */
export async function wholeAnswer(
  call: RelayCall,
  { channel, upstreamModel }: Candidate,
  begun: Extract<Begun, { kind: 'whole' }>,
  till: Till,
  deps: RelayDependencies,
  leave: () => void,
): Promise<Response> {
  call.trail.firstTokenMs = deps.clock.now() - call.receivedAt
  const { usage, delivered } = begun.answer
  const counted =
    usage === undefined ? await countedUsage(undefined, call.request, delivered) : { usage, estimated: false }
  await together
  if (call.connection.isGone) throw new RelayError('client_gone', 'The caller hung up.')
  const { usage: charged, estimated } = counted
  till.settle({ channel, upstreamModel, usage: charged, estimated, ended: undefined })
  // The first of a convoy to come here records the charges of all.
  await together
  till.record()
  leave()
  return new Response(begun.body, { headers: answerHeaders(begun.contentType, call) })
}
