import type { RefusalCode } from '@tollgate/api/errors'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import { OutboundError, type OutboundFailure } from '../../lib/outbound/outbound-fetch.ts'
import { OutboundForbiddenError, OutboundUnresolvedError } from '../../lib/outbound/outbound-guard.ts'
import type { RefusalDetails } from '../../lib/refusal.ts'
import { TokenExchangeError } from '../../upstream/credentials.ts'

/** Failure of a test or a list of models, for the person who started it. */
export interface CallFailure {
  readonly code: RefusalCode
  readonly details: RefusalDetails
  /** Message of the upstream about it, without keys and addresses; absent when it did not respond. */
  readonly said?: string
  /** Error of the upstream, by which the channel is judged; absent when the call was never sent. */
  readonly error?: UpstreamErrorInfo
}

const failures = {
  timeout: { code: 'channel_upstream_timeout', kind: 'timeout' },
  unreachable: { code: 'channel_upstream_unreachable', kind: 'upstream_bug' },
  redirect: { code: 'channel_upstream_redirect', kind: 'upstream_bug' },
  'too-large': { code: 'channel_upstream_too_large', kind: 'upstream_bug' },
} as const satisfies Record<
  Exclude<OutboundFailure, 'aborted'>,
  { code: RefusalCode; kind: UpstreamErrorInfo['kind'] }
>

function noResponseError(kind: UpstreamErrorInfo['kind']): UpstreamErrorInfo {
  return { kind, status: 0, message: '', type: '', code: '', param: null }
}

export function malformedResponse(status: number): CallFailure {
  return {
    code: 'channel_upstream_malformed',
    details: {},
    error: { ...noResponseError('upstream_bug'), receivedStatus: status },
  }
}

/** The failure that an error of the outbound call means. Rethrows unknown errors, and aborts by the gateway. */
export function callFailureOf(error: unknown, timeoutMs: number): CallFailure {
  if (error instanceof OutboundForbiddenError) return { code: 'channel_address_forbidden', details: {} }
  if (error instanceof OutboundUnresolvedError) {
    return { code: 'channel_base_url_unresolved', details: {}, error: noResponseError('upstream_bug') }
  }
  // An invalid address, key or header. Its message may quote them.
  if (error instanceof TypeError) return { code: 'channel_unsendable', details: {} }
  if (error instanceof TokenExchangeError) return failureOf('unreachable', timeoutMs)
  if (!(error instanceof OutboundError) || error.failure === 'aborted') throw error
  return failureOf(error.failure, timeoutMs)
}

function failureOf(failure: keyof typeof failures, timeoutMs: number): CallFailure {
  const { code, kind } = failures[failure]
  return { code, details: { seconds: timeoutMs / 1000 }, error: noResponseError(kind) }
}
