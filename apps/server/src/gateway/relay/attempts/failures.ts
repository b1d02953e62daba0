import {
  callerStatus,
  inCallersModel,
  isOperatorMatter,
  publicMessage,
  publicName,
  publicParam,
  redact,
  type UpstreamErrorInfo,
} from '@tollgate/formats'
import { type FailurePolicy, policyOf } from '../../../channels/health/failure-policy.ts'
import { hostsOf, redactUpstream } from '../../../channels/redaction.ts'
import type { RoutedChannel } from '../../../channels/routing/routing-types.ts'
import { RelayError, type RelayErrorCode } from '../relay-error.ts'

/**
 * Returns the step after a failed attempt, by its kind. An upstream that itself reports a timeout (408, 504, 524) has been working on
 * the call, and may have been paid for it: another attempt would pay twice, so such a timeout ends the call. Our own timer (status 0)
 * does not.
 */
export function nextStep(error: UpstreamErrorInfo): FailurePolicy['next'] {
  if (error.kind === 'timeout' && error.status !== 0) return 'give-up'
  return policyOf(error.kind).next
}

/** The error code where the upstream sent no response of its own. */
function ownCode(error: UpstreamErrorInfo): RelayErrorCode {
  if (error.kind === 'timeout') return 'upstream_timeout'
  return 'upstream_unreachable'
}

/** Writes an upstream's message as its caller may read it. */
export type Clean = (text: string) => string

/** A call whose attempt failed, as far as its errors name the model. */
export interface NamedCall {
  readonly request: { readonly model: string }
  readonly trace: { readonly sentModel: string }
}

/** Removes what the caller must not learn about the channel, and writes the caller's name of the model for the upstream's. */
export function cleanerFor(call: NamedCall, { channel, upstreamModel }: FailedTarget): Clean {
  const clean = redactor(channel)
  const { model } = call.request
  const names = new Set([upstreamModel, call.trace.sentModel])
  return (text) => (isName(text) ? clean(text) : inCallersModel(clean(text), names, model))
}

/** The upstream of an attempt that failed. */
export interface FailedTarget {
  readonly channel: RoutedChannel
  readonly upstreamModel: string
}

/** Removes from an upstream's message what the caller must not learn about the channel. */
export function redactor({ keys, openaiOrganization, baseUrl }: RoutedChannel): Clean {
  const secrets = { keys: [...keys, openaiOrganization], hosts: hostsOf(baseUrl) }
  return (text) => (isName(text) && !secrets.keys.some((key) => text === key) ? text : redact(text, secrets))
}

const maxStatedLength = 450

/** Returns the upstream's message and code for the operator, without keys and addresses. */
export function upstreamWords({ message, code, status }: UpstreamErrorInfo, channel: RoutedChannel): string {
  const isNamed =
    status !== 0 && code !== '' && code !== 'bad_response_status_code' && code !== 'malformed_response'
  return redactUpstream(isNamed ? `${message} (${code})` : message, channel).slice(0, maxStatedLength)
}

/** Nearly every type and code is a plain word, which needs no redaction. */
function isName(text: string): boolean {
  return /^[a-z_]{0,64}$/.test(text)
}

/**
 * The error for a call that the upstream received completely without giving a usable response. It may have carried the call
 * out and charge for it, so neither the gateway nor the caller's SDK should retry automatically.
 */
export function unknownOutcome(error: UpstreamErrorInfo, clean: Clean): RelayError {
  const isOwn = error.status === 0 || error.isUnreadable === true
  const reported = isOwn ? clean(publicMessage(error)) : 'The upstream sent a response that cannot be read.'
  const message = `${reported} It had the whole request and may have carried it out, so no other upstream was asked. Nothing is charged.`
  // OpenAI's and Anthropic's SDKs would otherwise retry the call by themselves.
  return new RelayError(ownCode(error), message, { headers: { 'x-should-retry': 'false' } })
}

/**
 * Returns the caller's error when no attempt succeeded: the one place where an upstream's failure becomes a caller's error.
 * What concerns the caller's call keeps the upstream's words, without keys, hosts and facts of the account. What concerns the
 * operator's account is a sentence of the house, with a status that no client takes for its own key or balance.
 * @param clean see `cleanerFor`
 * @param original before the operator's mapping of statuses
 */
export function refusalFor(
  error: UpstreamErrorInfo,
  clean: Clean,
  original: Pick<UpstreamErrorInfo, 'status'>,
): RelayError {
  // The message is ours: the upstream never responded.
  if (error.status === 0) return new RelayError(ownCode(error), error.message)
  const isMapped = error.status !== original.status
  if (isOperatorMatter(error.kind)) return operatorMatter(error, isMapped)
  const name = (text: string) => publicName(clean(text), error.kind)
  return new RelayError(
    isUnreadable(error) ? 'upstream_malformed' : 'upstream_error',
    clean(publicMessage(error)),
    {
      status: isMapped ? mappedStatus(error) : callerStatus(error),
      type: error.type === '' ? 'upstream_error' : name(error.type),
      param: publicParam(error.param === null ? null : clean(error.param), error.kind),
      ...(!isUnreadable(error) && {
        upstreamCode: error.code === '' ? `upstream_${error.kind}` : name(error.code),
      }),
      failure: failureOf(error),
      ...(error.retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(error.retryAfterMs / 1000) }),
    },
  )
}

/** The wait that the upstream asks for is that of its account, so the caller does not get it. */
function operatorMatter(error: UpstreamErrorInfo, isMapped: boolean): RelayError {
  const details = { ...(isMapped && { status: mappedStatus(error) }), failure: failureOf(error) }
  if (error.kind === 'unauthorized')
    return new RelayError(
      'upstream_unauthorized',
      'The upstream refused the credentials of this channel. Tell the administrator.',
      details,
    )
  return new RelayError('upstream_unavailable', publicMessage(error), details)
}

/** A response of status 2xx that is none of the caller's mode. */
function isUnreadable({ isUnreadable: isNoError, code }: UpstreamErrorInfo): boolean {
  return isNoError === true && code === 'malformed_response'
}

/** The operator's choice, unless it would not be an error to the caller's client. */
function mappedStatus({ status }: UpstreamErrorInfo): number {
  return status >= 400 && status <= 599 ? status : 502
}

function failureOf({ kind, tokens }: UpstreamErrorInfo): Pick<UpstreamErrorInfo, 'kind' | 'tokens'> {
  return { kind, ...(tokens !== undefined && { tokens }) }
}

/**
 * The error for a caller whose response has begun: in the words of its kind where clients act on that or must not learn of it,
 * else that the upstream broke off.
 */
export function brokenResponse(error: UpstreamErrorInfo, clean: Clean): RelayError {
  if (isOperatorMatter(error.kind)) return refusalFor(error, clean, error)
  const saysMore = error.kind !== 'upstream_bug' && error.kind !== 'bad_request' && error.kind !== 'timeout'
  if (!saysMore || error.status === 0)
    return new RelayError('upstream_unreachable', `${broken}.`, { upstreamCode: 'upstream_error' })
  const reported = { ...error, message: `${broken}: ${publicMessage(error)}` }
  return refusalFor(reported, clean, error)
}

const broken = 'The upstream reported an error in the middle of its response'
