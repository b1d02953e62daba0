import { channelStatuses } from '@tollgate/api'
import { z } from 'zod'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AuditEvent } from '../../records/audit-log/audit-log.ts'
import type { KeyService, ServiceFields } from '../../records/audit-log/before-change.ts'
import type { Channel, ChannelChange, ChannelKeyState, StatusReason } from '../../store/channels/channels.ts'
import { drainOf, endOfDrain } from '../routing/draining.ts'
import { keyHint, keyIds, openKeys } from './channel-keys.ts'

type KeyVault = Pick<Vault, 'open' | 'hash'>
type Keyed = Pick<Channel, 'id' | 'keysSealed' | 'keyStates'>

/**
 * Returns the keys whose state differs between two states of a channel, by their ids, as the audit log has them. A key is named by
 * its id, so that an undo finds it wherever it is by then. None where the keys themselves were replaced or cannot be opened.
 */
export function keyStateChange(old: Keyed, changed: Keyed, vault: KeyVault) {
  if (old.keyStates === changed.keyStates || old.keysSealed !== changed.keysSealed) return {}
  const [before, after] = [keyServices(old, vault), keyServices(changed, vault)]
  const differing = Object.keys(before).filter((id) => !isSame(before[id], after[id]))
  if (differing.length === 0) return {}
  const only = (states: KeyServices) => Object.fromEntries(differing.map((id) => [id, states[id]]))
  return { before: { key_states: only(before) }, after: { key_states: only(after) } }
}

/** Returns the audited effect of a switch: the status with its reason, and the states of keys; nothing where they are the same. */
export function serviceChange(
  old: Channel,
  changed: Channel,
  vault: KeyVault,
): Pick<AuditEvent, 'before' | 'after'> {
  const keys = keyStateChange(old, changed, vault)
  const [before, after] = [
    { ...statusOf(old), ...keys.before },
    { ...statusOf(changed), ...keys.after },
  ]
  return isSame(before, after) ? {} : { before, after }
}

type KeyServices = Readonly<Record<string, KeyService>>

/** Returns what every key of a channel is, by its id; nothing where another secret sealed them. */
function keyServices(channel: Keyed, vault: KeyVault): KeyServices {
  const states = new Map(channel.keyStates.map(({ index, ...state }) => [index, state]))
  const keys = readableKeys(channel, vault)
  const ids = keyIds(keys, vault)
  return Object.fromEntries(
    keys.map((key, index) => [ids[index], { key: keyHint(key), status: 'enabled', ...states.get(index) }]),
  )
}

function readableKeys(channel: Keyed, vault: KeyVault): readonly string[] {
  try {
    return openKeys(channel, vault)
  } catch {
    return []
  }
}

/** Returns whether a channel and each of its keys are in service, and why not, as an undo compares it. */
export function serviceOf(channel: Channel, vault: KeyVault): Required<ServiceFields> {
  return { ...statusOf(channel), key_states: keyServices(channel, vault) }
}

/** Returns the status of a channel and its reason, as the audit log has them. */
export function statusOf({ status, statusReason }: Pick<Channel, 'status' | 'statusReason'>) {
  return { status: channelStatuses[status], status_reason: statusReason }
}

const storedReason = z
  .object({
    reason: z.string(),
    at: z.number(),
    code: z.string().optional(),
    params: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  })
  .nullable()

/**
 * Returns the change that gives a channel the service back that a record has: status, reason and states of keys. Keys that are gone are
 * left out. Throws `Refusal` where no key of a channel in service would be left.
 */
export function restoredService(channel: Channel, before: ServiceFields, vault: KeyVault): ChannelChange {
  const keyStates = restoredKeys(channel, before.key_states, vault)
  const isSwitched = before.status !== undefined || before.status_reason !== undefined
  const status = isSwitched ? restoredStatus(channel, before) : {}
  const isInService = (status.status ?? channel.status) === 'enabled'
  if (isInService && keyStates !== undefined && keyStates.length >= channel.keyCount)
    throw new Refusal('channel_last_key')
  return { ...status, ...(keyStates !== undefined && { keyStates }) }
}

function restoredStatus(
  channel: Channel,
  { status, status_reason: recorded }: ServiceFields,
): Pick<ChannelChange, 'status' | 'statusReason'> {
  const reason = recorded === undefined ? endOfDrain(channel) : { statusReason: readReason(recorded) }
  if (status === undefined) return reason
  if (status === channelStatuses.enabled) return { status: 'enabled', ...reason }
  const { statusReason } = { ...channel, ...reason }
  // A program of before recorded no reason, and without one nobody learns why the gateway took the channel out.
  const isOfGateway = status === channelStatuses['auto-disabled'] && statusReason !== null
  return { status: isOfGateway ? 'auto-disabled' : 'disabled', ...reason }
}

function readReason(recorded: unknown): StatusReason | null {
  const { data = null } = storedReason.safeParse(recorded)
  if (data === null) return null
  const { code, params, ...reason } = data
  return { ...reason, ...(code !== undefined && { code }), ...(params !== undefined && { params }) }
}

function restoredKeys(
  channel: Channel,
  before: ServiceFields['key_states'],
  vault: KeyVault,
): readonly ChannelKeyState[] | undefined {
  if (before === undefined) return undefined
  const ids = keyIds(readableKeys(channel, vault), vault)
  const restored = Object.entries(before)
    .map(([id, state]) => ({ index: ids.indexOf(id), state }))
    .filter(({ index }) => index >= 0)
  const others = channel.keyStates.filter(({ index }) => !restored.some((each) => each.index === index))
  return [...others, ...restored.flatMap(({ index, state }) => stateOf(index, state))]
}

function stateOf(index: number, { key: _hint, status, ...why }: KeyService): readonly ChannelKeyState[] {
  return status === 'enabled' ? [] : [{ index, status, ...why }]
}

/** Decides whether two states differ in what drains: the status is the same then. */
export function drainDiffers(old: Channel, changed: Channel): boolean {
  return !isSame(drainOf(old), drainOf(changed))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
