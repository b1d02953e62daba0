import type { Begun } from './attempt.ts'
import { type RelayCall, requestIdHeaders } from './call.ts'
import type { Candidate } from './candidates.ts'
import { type CountedUsage, countedUsage } from './counted-usage.ts'
import type { RelayDependencies } from './relay-dependencies.ts'
import { RelayError } from './relay-error.ts'
import type { Till } from './till.ts'

type WholeBegun = Extract<Begun, { kind: 'whole' }>

/**
 * Answers with a body that was read whole, byte for byte as the upstream sent it. Settled before the first byte
 * leaves: a caller that has the answer has paid for it, even if the process dies right after.
 */
export function wholeAnswer(
  call: RelayCall,
  candidate: Candidate,
  begun: WholeBegun,
  till: Till,
  deps: RelayDependencies,
  leave: () => void,
): Response | Promise<Response> {
  call.trail.firstTokenMs = deps.clock.now() - call.receivedAt
  const answer = ({ usage, estimated }: CountedUsage): Response => {
    if (call.connection.isGone) throw new RelayError('client_gone', 'The caller hung up.')
    till.settle({
      channel: candidate.channel,
      upstreamModel: candidate.upstreamModel,
      usage,
      estimated,
      ended: undefined,
    })
    leave()
    return new Response(begun.body, {
      headers: { 'Content-Type': begun.contentType, ...requestIdHeaders(call) },
    })
  }
  const { usage, delivered } = begun.answer
  if (usage !== undefined) return answer({ usage, estimated: false })
  return countedUsage(undefined, call.request, delivered).then(answer)
}
