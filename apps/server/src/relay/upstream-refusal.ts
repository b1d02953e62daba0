import { redact, type UpstreamErrorInfo } from '@tollgate/formats'
import type { RoutedChannel } from '../channels/routing-types.ts'
import { RelayError, type RelayErrorCode } from './relay-error.ts'

/** Statuses a caller may see from an upstream; anything else would not be an error to its client. */
function isErrorStatus(status: number): boolean {
  return status >= 400 && status <= 599
}

/** Errors without an answer of the upstream's own. */
function ownCode(error: UpstreamErrorInfo): RelayErrorCode {
  if (error.kind === 'timeout') return 'upstream_timeout'
  return 'upstream_unreachable'
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** Applies the channel's `status_code_mapping`: what follows (retry, disabling, the caller) sees the mapped status. */
export function mapStatus(error: UpstreamErrorInfo, channel: RoutedChannel): UpstreamErrorInfo {
  const status = channel.statusCodeMapping.get(error.status)
  return status === undefined ? error : { ...error, status }
}

/**
 * What the caller is told when no attempt succeeded: the last upstream's answer, without keys, hosts or account
 * names. The gateway's own credentials being refused is not the caller's 401: told so, a client would ask
 * its user for another key.
 */
export function refusalFor(
  error: UpstreamErrorInfo,
  channel: RoutedChannel,
  original: UpstreamErrorInfo,
): RelayError {
  if (error.status === 0 || !isErrorStatus(error.status)) return new RelayError(ownCode(error), error.message)
  if (original.kind === 'unauthorized' && error.status === original.status) {
    return new RelayError(
      'upstream_unauthorized',
      'The upstream refused the credentials of this channel. Tell the administrator.',
    )
  }
  const message = redact(error.message, { keys: channel.keys, hosts: [hostOf(channel.baseUrl)] })
  return new RelayError(
    'upstream_error',
    message === '' ? `The upstream answered ${error.status}.` : message,
    {
      status: error.status,
      type: error.type === '' ? 'upstream_error' : error.type,
      param: error.param,
      upstreamCode: error.code === '' ? `upstream_${error.kind}` : error.code,
      ...(error.retryAfterMs === undefined
        ? {}
        : { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) }),
    },
  )
}
