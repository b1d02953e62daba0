import type { Vault } from '../../lib/crypto.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { Channel, ChannelRepository, ChannelSummary } from '../../store/channels/channels.ts'
import type { Store } from '../../store/store.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { openKeys } from './channel-keys.ts'

export interface FixDependencies {
  readonly channels: ChannelRepository
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'reload'>
  readonly auditLog: AuditLog
  readonly store: Pick<Store, 'transaction'>
  readonly vault: Pick<Vault, 'open'>
}

/**
 * Repairs what an interrupted import or a manual edit of the database left behind: channels without an account,
 * accounts without a channel, wrong key counts, states of missing keys. Then reloads all channels. Returns the number
 * of repairs; 0 when everything was consistent.
 */
export async function fixChannels(actor: Actor, deps: FixDependencies): Promise<number> {
  const { channels, directory, auditLog, store } = deps
  const rows = await channels.repair()
  await directory.reload()
  let repairs = rows
  for (const { id } of (await channels.listSummaries()).filter((channel) => isInconsistent(channel, deps)))
    repairs += await store.transaction((tx) => fixKeys(id, tx.channels, deps))
  if (repairs > rows) await directory.reload()
  const target = { kind: 'channel' as const, name: '' }
  await auditLog.record(actor, { action: 'channel.fix', target, after: { repairs } })
  return repairs
}

async function fixKeys(id: number, channels: ChannelRepository, deps: FixDependencies): Promise<number> {
  await channels.lock({ ids: [id] })
  const channel = await channels.find(id)
  if (channel === undefined) return 0
  // Not as routing has them: another node may have replaced them a moment ago.
  const keyCount = storedKeyCount(channel, deps.vault)
  const keyStates = channel.keyStates.filter(({ index }) => index < keyCount)
  if (keyCount === channel.keyCount && keyStates.length === channel.keyStates.length) return 0
  await channels.update(id, { keyCount, keyStates })
  return 1
}

/** Counts the keys of a channel; returns the stored number for keys that another installation sealed. */
function storedKeyCount(channel: Channel, vault: Pick<Vault, 'open'>): number {
  try {
    return openKeys(channel, vault).length
  } catch {
    return channel.keyCount
  }
}

function isInconsistent(
  channel: Pick<ChannelSummary, 'id' | 'keyCount' | 'keyStates'>,
  deps: FixDependencies,
): boolean {
  const keyCount = keysOf(channel, deps)
  return channel.keyCount !== keyCount || channel.keyStates.some(({ index }) => index >= keyCount)
}

/** Decrypted as routing did; as stored for a channel that routing cannot use. */
function keysOf(
  { id, keyCount }: Pick<ChannelSummary, 'id' | 'keyCount'>,
  { directory }: FixDependencies,
): number {
  return directory.snapshot.channel(id)?.keys.length ?? keyCount
}
