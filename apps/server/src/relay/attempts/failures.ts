import { redact, type UpstreamErrorInfo, type UpstreamErrorKind } from '@tollgate/formats'
import { hostsOf } from '../../channels/redaction.ts'
import type { RoutedChannel } from '../../channels/routing/routing-types.ts'
import { RelayError, type RelayErrorCode } from '../relay-error.ts'

/** What a failed attempt means for the call. Channel health and automatic disabling decide what it means for the channel. */
type NextStep =
  /** The same channel may serve it with another of its keys; else another channel. */
  'other-key' | 'other-channel' | 'give-up'

const nextSteps = {
  bad_request: 'give-up',
  content_policy: 'give-up',
  unauthorized: 'other-key',
  forbidden: 'other-key',
  quota: 'other-key',
  rate_limited: 'other-key',
  not_found: 'other-channel',
  overloaded: 'other-channel',
  upstream_bug: 'other-channel',
  timeout: 'other-channel',
} as const satisfies Record<UpstreamErrorKind, NextStep>

/**
 * The one table of what follows a failed attempt.
 * An upstream that itself reports a timeout (408, 504, 524) has been working on the call, and may have been paid
 * for it: another attempt would pay twice, so such a timeout ends the call. Our own timer (status 0) does not.
 */
export function nextStep(error: UpstreamErrorInfo): NextStep {
  if (error.kind === 'timeout' && error.status !== 0) return 'give-up'
  return nextSteps[error.kind]
}

/** Statuses a caller may see from an upstream; anything else would not be an error to its client. */
function isErrorStatus(status: number): boolean {
  return status >= 400 && status <= 599
}

/** The error code where the upstream sent no response of its own. */
function ownCode(error: UpstreamErrorInfo): RelayErrorCode {
  if (error.kind === 'timeout') return 'upstream_timeout'
  return 'upstream_unreachable'
}

/** Removes from an upstream's message what the caller must not learn about the channel. */
export function redactor({ keys, openaiOrganization, baseUrl }: RoutedChannel): (text: string) => string {
  const secrets = { keys: [...keys, openaiOrganization], hosts: hostsOf(baseUrl) }
  return (text) => (isName(text) && !secrets.keys.some((key) => text === key) ? text : redact(text, secrets))
}

/** Nearly every type and code is a plain word, which needs no redaction. */
function isName(text: string): boolean {
  return /^[a-z_]{0,64}$/.test(text)
}

/**
 * The error for a call that the upstream received completely without giving a usable response. It may have carried the call
 * out and charge for it, so neither the gateway nor the caller's SDK should retry automatically.
 */
export function unknownOutcome(error: UpstreamErrorInfo): RelayError {
  const told = error.status === 0 ? error.message : 'The upstream sent a response that cannot be read.'
  const message = `${told} It had the whole request and may have carried it out, so no other upstream was asked. Nothing is charged.`
  // OpenAI's and Anthropic's SDKs would otherwise retry the call by themselves.
  return new RelayError(ownCode(error), message, { headers: { 'x-should-retry': 'false' } })
}

/**
 * Returns the caller's error when no attempt succeeded: the last upstream's error, without keys, hosts or account
 * names. A refusal of the gateway's own credentials is not passed on as 401, because a client would ask its user for
 * another key.
 */
export function refusalFor(
  error: UpstreamErrorInfo,
  channel: RoutedChannel,
  original: UpstreamErrorInfo,
): RelayError {
  // The message is ours: the upstream never responded.
  if (error.status === 0) return new RelayError(ownCode(error), error.message)
  if (original.kind === 'unauthorized' && error.status === original.status) {
    return new RelayError(
      'upstream_unauthorized',
      'The upstream refused the credentials of this channel. Tell the administrator.',
    )
  }
  const clean = redactor(channel)
  const message = clean(error.message)
  return new RelayError(
    'upstream_error',
    message === '' ? `The upstream responded with ${error.status}.` : message,
    {
      status: isErrorStatus(error.status) ? error.status : 502,
      type: error.type === '' ? 'upstream_error' : clean(error.type),
      param: error.param === null ? null : clean(error.param),
      upstreamCode: error.code === '' ? `upstream_${error.kind}` : clean(error.code),
      ...(error.retryAfterMs === undefined
        ? {}
        : { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) }),
    },
  )
}
