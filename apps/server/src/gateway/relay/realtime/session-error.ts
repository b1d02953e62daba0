import {
  decodeErrorBody,
  isOperatorMatter,
  type JsonObject,
  publicMessage,
  realtimeError,
} from '@tollgate/formats'
import { endedByUpstream } from '../attempts/broken-response.ts'
import { cleanerFor } from '../attempts/failures.ts'
import type { RelayDependencies } from '../relay-dependencies.ts'
import { apiErrorOf, RelayError } from '../relay-error.ts'
import type { Candidate } from '../routing/candidates.ts'
import type { SessionCall } from './session-call.ts'

/** Refuses what no check could read, and some upstreams can: an event in another coding. */
export function binaryMessage(): RelayError {
  return new RelayError('invalid_request', 'Send events as text messages: this API has no binary ones.')
}

/**
 * The error of an upstream's event as its caller reads it: the house's where it concerns the operator's account, which also takes
 * out a dead key; else the upstream's own, without facts of the account.
 */
export function callersError(
  error: JsonObject,
  call: SessionCall,
  candidate: Candidate,
  deps: Pick<RelayDependencies, 'autoDisable' | 'health' | 'clock'>,
): JsonObject {
  const info = decodeErrorBody({ status: 200, headers: {}, body: JSON.stringify({ error }) })
  const refusal = endedByUpstream(call, candidate, info, deps)
  const kind = refusal.failure?.kind
  if (kind !== undefined && isOperatorMatter(kind))
    return { ...error, ...realtimeError(apiErrorOf(refusal, call.requestId)) }
  const message = cleanerFor(call, candidate)(publicMessage(info))
  return info.isUnreadable === true || message === error.message ? error : { ...error, message }
}
