import type { ChannelKeyBody } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelChange } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import { joinKeys } from '../routing/compile-channel.ts'
import { channelAuditEvent } from './channel-audit.ts'
import { checkedCount, keyHint, keyIds, openKeys, parseKeys } from './channel-keys.ts'
import { type CommitDependencies, commitChannels, lockChannel } from './commit-channels.ts'
import { serviceChange } from './service-state.ts'

export interface ChangeKeyDependencies extends CommitDependencies {
  readonly health: Pick<HealthRegistry, 'reset'>
  readonly vault: Vault
  readonly wallClock: Clock
}

/** Acts that put a new key, or none, into the place of an old one, or an old one back. */
const resetting: ReadonlySet<ChannelKeyBody['act']> = new Set(['enable', 'delete', 'replace'])

/**
 * Takes one key of a channel out of service, puts it back, replaces or deletes it. Refused when the key is not there any more, and
 * when no key would be left in service: that is disabling the channel.
 */
export async function changeKey(
  id: number,
  body: ChannelKeyBody,
  actor: Actor,
  deps: ChangeKeyDependencies,
): Promise<Channel> {
  const { act } = body
  const changed = await commitChannels(deps, actor, async (tx) => {
    const channel = await lockChannel(tx, id)
    const keys = openKeys(channel, deps.vault)
    const index = indexOfKey(keys, body, deps.vault)
    const replacement = act === 'replace' ? readReplacement(body, keys, channel.type) : undefined
    const change = changeOf(
      channel,
      keys,
      { index, act, replacement, at: unixSeconds(deps.wallClock) },
      deps.vault,
    )
    const result = (await tx.update(id, change)) ?? channel
    // What is replaced or deleted is in no record, and cannot come back.
    const isSwitch = act === 'enable' || act === 'disable'
    const { before, after } = isSwitch ? serviceChange(channel, result, deps.vault) : {}
    const done = {
      key: keyHint(keys[index] ?? ''),
      change: act,
      ...(replacement !== undefined && { new_key: keyHint(replacement) }),
    }
    const event = channelAuditEvent('channel.update', channel, { before, after: { ...after, ...done } })
    return { result, ids: [id], auditEvents: [event], change }
  })
  // Health is recorded by the places of keys, and the record of this key no longer applies.
  if (resetting.has(act)) deps.health.reset(id)
  return changed
}

/** Adds keys to a channel in its order; those that it has are left out. Returns the channel, and how many were new. */
export async function addKeys(
  id: number,
  text: string,
  actor: Actor,
  deps: ChangeKeyDependencies,
): Promise<{ readonly channel: Channel; readonly added: number }> {
  return await commitChannels(deps, actor, async (tx) => {
    const channel = await lockChannel(tx, id)
    const keys = openKeys(channel, deps.vault)
    const typed = parseKeys(text, channel.type)
    if (typed.length === 0) throw new Refusal('channel_key_required')
    const added = typed.filter((key) => !keys.includes(key))
    if (added.length === 0) return { result: { channel, added: 0 }, ids: [], auditEvents: [] }
    const change = sealed(id, checkedCount([...keys, ...added]), deps.vault)
    const after = { keys_added: added.map(keyHint) }
    return {
      result: { channel: (await tx.update(id, change)) ?? channel, added: added.length },
      ids: [id],
      auditEvents: [channelAuditEvent('channel.update', channel, { after })],
      change,
    }
  })
}

/** Finds a key by its id, else by its index and hint as older consoles name it. */
function indexOfKey(
  keys: readonly string[],
  { key_id, index, hint }: ChannelKeyBody,
  vault: Pick<Vault, 'hash'>,
): number {
  if (key_id !== undefined) {
    const found = keyIds(keys, vault).indexOf(key_id)
    if (found < 0) throw new Refusal('channel_key_gone')
    return found
  }
  const key = keys[index]
  if (key === undefined || keyHint(key) !== hint) throw new Refusal('channel_key_gone')
  return index
}

function readReplacement({ key = '' }: ChannelKeyBody, keys: readonly string[], type: number): string {
  const [replacement, ...others] = parseKeys(key, type)
  if (replacement === undefined) throw new Refusal('channel_key_required')
  if (others.length > 0) throw new Refusal('channel_keys_too_many', { max: 1 })
  if (keys.includes(replacement)) throw new Refusal('channel_key_known')
  return replacement
}

/** An act on the key at an index. */
interface KeyChange {
  readonly index: number
  readonly act: ChannelKeyBody['act']
  /** Key that takes its place. */
  readonly replacement: string | undefined
  readonly at: number
}

/** Returns the change that an act makes. Refuses to take the last key out of service. */
export function changeOf(
  { id, keyStates, status }: Channel,
  keys: readonly string[],
  { index, act, replacement, at }: KeyChange,
  vault: Vault,
): ChannelChange {
  const others = keyStates.filter((state) => state.index !== index)
  // A channel that the gateway disabled for lack of keys has one again.
  const revived = { keyStates: others, ...(status === 'auto-disabled' && { status: 'enabled' as const }) }
  if (act === 'enable') return revived
  if (replacement !== undefined) return { ...sealed(id, keys.with(index, replacement), vault), ...revived }
  if (others.length >= keys.length - 1) throw new Refusal('channel_last_key')
  if (act === 'disable') return { keyStates: [...others, { index, status: 'disabled', reason: '', at }] }
  return {
    ...sealed(id, keys.toSpliced(index, 1), vault),
    keyStates: others.map((state) => ({ ...state, index: state.index - Number(state.index > index) })),
  }
}

function sealed(id: number, keys: readonly string[], vault: Vault) {
  return { keysSealed: vault.seal(joinKeys(keys), sealContexts.channelKeys(id)), keyCount: keys.length }
}
