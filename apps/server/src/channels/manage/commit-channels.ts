import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditEvent, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import {
  type Channel,
  type ChannelChange,
  type ChannelRepository,
  isInSummary,
} from '../../store/channels/channels.ts'
import type { Store } from '../../store/store.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { keyIds, openKeys } from './channel-keys.ts'

export interface CommitDependencies {
  readonly store: Pick<Store, 'transaction'>
  readonly auditLog: AuditLog
  readonly bus: ChangeBus
  readonly directory: Pick<ClosableChannelDirectory, 'settled'>
  readonly vault: Vault
}

/** A channel as it is now, and stays until the transaction ends but for what that writes. */
export async function lockChannel(
  channels: Pick<ChannelRepository, 'lock' | 'find'>,
  id: number,
): Promise<Channel> {
  await channels.lock({ ids: [id] })
  const channel = await channels.find(id)
  if (channel === undefined) throw new Refusal('record_not_found')
  return channel
}

/** Result of a transaction: the channels that changed, and their audited actions. */
export interface Written<Result> {
  readonly result: Result
  readonly ids: readonly number[]
  readonly auditEvents: readonly AuditEvent[]
  /** The fields written for all of them; left out when they were created or deleted. */
  readonly change?: ChannelChange
}

/**
 * Writes channels and their audit rows in one transaction, and publishes one event for all of them. Resolves when the
 * routing snapshot has the change. What `work` reads to decide by, it locks first: another node may be changing it.
 */
export async function commitChannels<Result>(
  { store, auditLog, bus, directory, vault }: CommitDependencies,
  actor: Actor,
  work: (channels: ChannelRepository, tx: Store) => Promise<Written<Result>>,
): Promise<Result> {
  const { result, ids, change } = await store.transaction(async (tx) => {
    const written = await work(tx.channels, tx)
    if (written.change?.keysSealed !== undefined) await forgetPlansOfGoneKeys(written.ids, tx, vault)
    await auditLog.recordAll(actor, written.auditEvents, tx)
    return written
  })
  if (ids.length > 0) {
    bus.publish('channels-changed', { ids, inSummary: change !== undefined && isInSummary(change) })
    await directory.settled()
  }
  return result
}

/** Deletes the plans of keys that a change has replaced or deleted, whichever act made it. */
async function forgetPlansOfGoneKeys(
  ids: readonly number[],
  { channels, channelKeySwitches }: Store,
  vault: Pick<Vault, 'open' | 'hash'>,
): Promise<void> {
  for (const id of ids) {
    const plans = await channelKeySwitches.listByChannel(id)
    const channel = plans.length === 0 ? undefined : await channels.find(id)
    if (channel === undefined) continue
    const known = keyIds(openKeys(channel, vault), vault)
    for (const plan of plans) if (!known.includes(plan.keyId)) await channelKeySwitches.delete(plan)
  }
}
