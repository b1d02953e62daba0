import type { ExchangeEnd } from '../../../upstream/exchange.ts'
import type { EarlyEnd } from '../charge/counted-usage.ts'
import { insufficientQuota, RelayError } from '../relay-error.ts'

/** End of a session: for its log row, and for a caller that is still connected. */
export interface SessionEnd {
  /** `undefined` for a regular end. */
  readonly ended: EarlyEnd | undefined
  /** The error that the caller gets before the end. */
  readonly error?: RelayError
  /** Code and reason of the close frame to the caller. */
  readonly code: number
  readonly reason?: string
}

const normal = 1000
const goingAway = 1001
const none = 1005
const lost = 1006
const policy = 1008
const failed = 1011

export const outOfQuota = (): SessionEnd => ({
  ended: 'insufficient_quota',
  error: insufficientQuota(),
  code: policy,
  reason: 'insufficient quota',
})

export const readsTooSlowly: SessionEnd = { ended: 'client_gone', code: policy, reason: 'reads too slowly' }

/** Ends a session that would not be opened any more. */
export const revoked = (error: RelayError): SessionEnd => ({
  ended: undefined,
  error,
  code: policy,
  reason: error.code === 'no_available_channel' ? 'out of service' : 'the key may not be used any more',
})

/** Neither side has sent anything for too long. */
export const idle: SessionEnd = { ended: undefined, code: normal, reason: 'nothing was said for too long' }

/** The upstream did not start a requested response. */
export const responseTimedOut = (): SessionEnd => ({
  ended: 'timeout',
  error: new RelayError('upstream_timeout', 'The upstream did not respond in time. Open another session.'),
  code: failed,
})

/** Before any upstream was open, or by a fault of ours. */
export function refusedBy(error: RelayError): SessionEnd {
  return { ended: 'upstream_error', error, code: error.status < 500 ? policy : failed }
}

export function endedByUs(reason: ExchangeEnd): SessionEnd {
  if (reason === 'client') return { ended: 'client_gone', code: normal }
  const error = new RelayError('shutting_down', 'The gateway is restarting. Try again.')
  return { ended: 'shutdown', error, code: goingAway, reason: 'going away' }
}

/** Ends a session that its caller has closed, as sessions end. */
export function closedByCaller(code: number): SessionEnd {
  return { ended: code === lost ? 'client_gone' : undefined, code: normal }
}

export function closedByUpstream(code: number, reason: string): SessionEnd {
  if (code === normal || code === none || code === goingAway)
    return { ended: undefined, code: code === none ? normal : code, reason }
  if (isSendable(code)) return { ended: 'upstream_cut', code, reason }
  const error = new RelayError('upstream_unreachable', 'The upstream closed the connection.', {
    upstreamCode: 'upstream_cut',
  })
  return { ended: 'upstream_cut', error, code: failed }
}

/** Codes that a close frame may hold (RFC 6455 §7.4). */
function isSendable(code: number): boolean {
  return (code >= 1002 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999)
}
