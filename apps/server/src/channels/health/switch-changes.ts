import type { Channel, ChannelKeyState } from '../../store/entities.ts'
import type { ChannelChange } from '../../store/store.ts'
import type { DecisionKind } from './decision-log.ts'

/** A change of a channel that the gateway decided, and the reason for the decision log. */
export interface SwitchChange {
  readonly kind: DecisionKind
  readonly change: ChannelChange
  readonly reason: string
}

/** The reason as it is stored with the channel; `at` in unix seconds. */
export type StatusReason = NonNullable<Channel['statusReason']>

/** Takes one key out of service, and the channel with its last key. `undefined` when there is nothing to change. */
export function disableKey(
  channel: Channel,
  keyIndex: number,
  status: StatusReason,
): SwitchChange | undefined {
  if (channel.status !== 'enabled' || !isKeyEnabled(channel, keyIndex)) return undefined
  const { reason } = status
  if (channel.keyCount === 1) return disabledChannel(status)
  const disabled: ChannelKeyState = { index: keyIndex, status: 'auto-disabled', ...status }
  const keyStates = [...channel.keyStates, disabled]
  if (keyStates.length < channel.keyCount)
    return { kind: 'disable-key', change: { keyStates }, reason: `key ${keyIndex + 1}: ${reason}` }
  const { change } = disabledChannel({ ...status, reason: `no key is left; the last: ${reason}` })
  return { kind: 'disable-channel', change: { ...change, keyStates }, reason }
}

/** Takes an enabled channel out of service. */
export function disableChannel(channel: Channel, status: StatusReason): SwitchChange | undefined {
  return channel.status === 'enabled' ? disabledChannel(status) : undefined
}

/** Puts a key, and its channel, back into service. A channel that a person disabled stays so. */
export function enableKey(
  channel: Channel,
  keyIndex: number,
  status: StatusReason,
): SwitchChange | undefined {
  if (channel.status === 'disabled') return undefined
  const { reason } = status
  const keyStates = channel.keyStates.filter((state) => state.index !== keyIndex)
  if (channel.status === 'auto-disabled')
    return { kind: 'enable-channel', change: { keyStates, status: 'enabled', statusReason: status }, reason }
  if (keyStates.length === channel.keyStates.length) return undefined
  return { kind: 'enable-key', change: { keyStates }, reason }
}

function disabledChannel(status: StatusReason): SwitchChange {
  const change = { status: 'auto-disabled', statusReason: status } as const
  return { kind: 'disable-channel', change, reason: status.reason }
}

function isKeyEnabled({ keyCount, keyStates }: Channel, keyIndex: number): boolean {
  return keyIndex < keyCount && !keyStates.some(({ index }) => index === keyIndex)
}
