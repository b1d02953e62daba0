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
import { keyHint } from './channel-keys.ts'
import { type CommitDependencies, commitChannels, lockChannel } from './commit-channels.ts'
import { openKeys } from './reveal-keys.ts'

export interface ChangeKeyDependencies extends CommitDependencies {
  readonly health: Pick<HealthRegistry, 'reset'>
  readonly vault: Vault
  readonly wallClock: Clock
}

/**
 * Takes one key of a channel out of service, puts it back, or deletes it. Refused when another key has its place by
 * now, and when no key would be left in service: that is disabling the channel.
 */
export async function changeKey(
  id: number,
  { index, hint, act }: ChannelKeyBody,
  actor: Actor,
  deps: ChangeKeyDependencies,
): Promise<Channel> {
  const changed = await commitChannels(deps, actor, async (tx) => {
    const channel = await lockChannel(tx, id)
    const keys = openKeys(channel, deps.vault)
    const key = keys[index]
    if (key === undefined || keyHint(key) !== hint) throw new Refusal('channel_key_gone')
    const change = changeOf(channel, keys, { index, act, at: unixSeconds(deps.wallClock) }, deps.vault)
    const result = (await tx.update(id, change)) ?? channel
    const auditEvents = [channelAuditEvent('channel.update', channel, { after: { key: hint, change: act } })]
    return { result, ids: [id], auditEvents, change }
  })
  // Health is recorded by the places of keys, and the record of this key no longer applies.
  if (act !== 'disable') deps.health.reset(id)
  return changed
}

interface KeyChange {
  readonly index: number
  readonly act: ChannelKeyBody['act']
  readonly at: number
}

function changeOf(
  { id, keyStates, status }: Channel,
  keys: readonly string[],
  { index, act, at }: KeyChange,
  vault: Vault,
): ChannelChange {
  const others = keyStates.filter((state) => state.index !== index)
  // A channel that the gateway disabled for lack of keys has one again.
  if (act === 'enable') return { keyStates: others, ...(status === 'auto-disabled' && { status: 'enabled' }) }
  if (others.length >= keys.length - 1) throw new Refusal('channel_last_key')
  if (act === 'disable') return { keyStates: [...others, { index, status: 'disabled', reason: '', at }] }
  const left = keys.filter((_, position) => position !== index)
  return {
    keysSealed: vault.seal(joinKeys(left), sealContexts.channelKeys(id)),
    keyCount: left.length,
    keyStates: others.map((state) => ({ ...state, index: state.index - Number(state.index > index) })),
  }
}
