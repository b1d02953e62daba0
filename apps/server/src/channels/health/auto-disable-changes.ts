import { type ChannelReason, channelReasonText } from '@tollgate/api'
import type { Channel, ChannelChange, ChannelKeyState } from '../../store/repositories/channels.ts'
import type { DecisionKind } from './decision-log.ts'

/** A change of a channel that the gateway decided, and its reason for the decision log. */
export interface AutoDisableChange {
  readonly kind: DecisionKind
  readonly change: ChannelChange
  readonly reason: ChannelReason
  /** Of a decision about one key. */
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
