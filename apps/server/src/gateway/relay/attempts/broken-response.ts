import type { UpstreamErrorInfo } from '@tollgate/formats'
import { policyOf } from '../../../channels/health/failure-policy.ts'
import { mapStatus } from '../../../channels/routing/compile-channel.ts'
import type { ModelRequest, RelayCall } from '../call.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import type { RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import { brokenResponse, cleanerFor, upstreamWords } from './failures.ts'

/**
 * Takes note of an error that an upstream reported inside a response that had begun, and returns the caller's. One that says that
 * the key is dead takes the key out, as it does before a response; others only count as a response that broke off.
 */
export function endedByUpstream(
  call: RelayCall<ModelRequest>,
  candidate: Candidate,
  reported: UpstreamErrorInfo,
  deps: Pick<RelayDependencies, 'autoDisable' | 'health' | 'clock'>,
): RelayError {
  const { channel, keyIndex, model } = candidate
  const error = deps.autoDisable.judged(mapStatus(reported, channel), channel)
  keepWords(call, upstreamWords(error, channel))
  if (policyOf(error.kind).disablesKey === true) {
    const ms = deps.clock.now() - call.startedAt - (call.trace.attempts.at(-1)?.startMs ?? 0)
    const outcome = { channelId: channel.id, keyIndex, model, ms, error }
    deps.health.record(outcome)
    deps.autoDisable.considerDisabling(outcome)
  }
  return brokenResponse(error, cleanerFor(call, candidate))
}

/** Stores the upstream's words with the attempt, which has been recorded as one whose response began. */
function keepWords({ trace }: RelayCall<ModelRequest>, stated: string): void {
  const latest = trace.attempts.pop()
  if (latest !== undefined) trace.attempts.push({ ...latest, ...(stated !== '' && { said: stated }) })
}
