import { type ChannelReason, channelReasonText } from '@tollgate/api'
import { type UpstreamErrorInfo, withoutQuotations } from '@tollgate/formats'
import type { Channel, ChannelChange, ChannelKeyState } from '../../store/channels/channels.ts'
import type { DecisionKind } from './decision-log.ts'
import { policyOf } from './failure-policy.ts'

/** A change of a channel that the gateway decided, and its reason for the decision log. */
export interface AutoDisableChange {
  readonly kind: Exclude<DecisionKind, 'cooldown' | 'recover'>
  readonly change: ChannelChange
  readonly reason: ChannelReason
  /** Index of the key in a decision about one key. */
  readonly keyIndex?: number
}

/** A reason and when it came about, in unix seconds. */
export interface StatusReason {
  readonly reason: ChannelReason
  readonly at: number
}

/** Takes one key out of service, and the channel with its last key. `undefined` when there is nothing to change. */
export function disableKey(
  channel: Channel,
  keyIndex: number,
  status: StatusReason,
): AutoDisableChange | undefined {
  if (channel.status !== 'enabled' || !isKeyEnabled(channel, keyIndex)) return undefined
  const { reason } = status
  if (channel.keyCount === 1) return disabledChannel(status)
  const disabled: ChannelKeyState = { index: keyIndex, status: 'auto-disabled', ...stored(status) }
  const keyStates = [...channel.keyStates, disabled]
  if (keyStates.length < channel.keyCount)
    return { kind: 'disable-key', change: { keyStates }, reason, keyIndex }
  const params = { ...reason.params, last_of_keys: channel.keyCount }
  const disabling = disabledChannel({ ...status, reason: { code: reason.code, params } })
  return { ...disabling, change: { ...disabling.change, keyStates } }
}

/** Takes an enabled channel out of service. */
export function disableChannel(channel: Channel, status: StatusReason): AutoDisableChange | undefined {
  return channel.status === 'enabled' ? disabledChannel(status) : undefined
}

/** Puts a key, and its channel, back into service. What a person disabled stays so. */
export function enableKey(
  channel: Channel,
  keyIndex: number,
  status: StatusReason,
): AutoDisableChange | undefined {
  const isManual = channel.keyStates.some((state) => state.index === keyIndex && state.status === 'disabled')
  if (channel.status === 'disabled' || isManual) return undefined
  const { reason } = status
  const keyStates = channel.keyStates.filter((state) => state.index !== keyIndex)
  if (channel.status === 'auto-disabled')
    return {
      kind: 'enable-channel',
      change: { keyStates, status: 'enabled', statusReason: stored(status) },
      reason,
    }
  if (keyStates.length === channel.keyStates.length) return undefined
  return { kind: 'enable-key', change: { keyStates }, reason, keyIndex }
}

/** The reason as it is stored: its text in English, beside code and parameters. */
function stored({ reason, at }: StatusReason) {
  return { reason: channelReasonText(reason, 'en'), at, ...reason }
}

function disabledChannel(status: StatusReason): AutoDisableChange {
  const change = { status: 'auto-disabled', statusReason: stored(status) } as const
  return { kind: 'disable-channel', change, reason: status.reason }
}

function isKeyEnabled({ keyCount, keyStates }: Channel, keyIndex: number): boolean {
  return keyIndex < keyCount && !keyStates.some(({ index }) => index === keyIndex)
}

const geminiType = 24

const codes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const types = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** Finds one of the operator's phrases in a text, whatever the case of its letters. */
export type KeywordMatcher = (text: string) => string | undefined

/** Compiles the phrases once, until the option changes. */
export function compileKeywords(keywords: readonly string[]): KeywordMatcher {
  const phrases = keywords.map((phrase) => phrase.trim().toLowerCase()).filter((phrase) => phrase !== '')
  if (phrases.length === 0) return () => undefined
  const pattern = new RegExp(phrases.map(escapeForPattern).join('|'))
  return (text) => pattern.exec(text.toLowerCase())?.[0]
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * Returns the reason for which a failure takes a key out of service: by the operator's options, else by its kind; `undefined` when it
 * does not.
 */
export function reasonToDisable(
  error: UpstreamErrorInfo,
  channelType: number,
  keyword: KeywordMatcher,
): ChannelReason | undefined {
  const byOptions = reasonByOptions(error, channelType, keyword)
  if (byOptions !== undefined || policyOf(error.kind).disablesKey !== true) return byOptions
  const { receivedStatus: status = error.status } = error
  const params = status === 0 ? {} : { status }
  return { code: error.kind === 'unauthorized' ? 'key_refused' : error.kind, params }
}

/**
 * The failure as the operator's options see it: what they take a key out of service for concerns the key, whatever the
 * upstream calls it, and failover and the caller's words follow.
 */
export function judgedByOptions(
  error: UpstreamErrorInfo,
  channelType: number,
  keyword: KeywordMatcher,
): UpstreamErrorInfo {
  if (policyOf(error.kind).disablesKey === true) return error
  const reason = reasonByOptions(error, channelType, keyword)
  if (reason === undefined) return error
  return { ...error, kind: reason.code === 'key_refused' ? 'unauthorized' : 'suspended' }
}

/**
 * Upstreams quote the caller's values in errors about a request, so quotations are not searched: a caller must not be able to
 * disable a key.
 */
function reasonByOptions(
  error: UpstreamErrorInfo,
  channelType: number,
  keyword: KeywordMatcher,
): ChannelReason | undefined {
  if (error.status === 401) return { code: 'key_refused', params: { status: 401 } }
  if (error.status === 403 && channelType === geminiType)
    return { code: 'key_refused', params: { status: 403 } }
  if (codes.has(error.code)) return { code: 'error_code', params: { code: error.code } }
  if (types.has(error.type)) return { code: 'error_type', params: { type: error.type } }
  const callersFault = policyOf(error.kind).fault === 'caller'
  const found = keyword(callersFault ? withoutQuotations(error.message) : error.message)
  return found === undefined ? undefined : { code: 'error_keyword', params: { keyword: found } }
}
