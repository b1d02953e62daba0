import type { Actor, AuditLog } from '../../audit-log/audit-log.ts'
import type { KeyedMutex } from '../../lib/async/mutex.ts'
import type { ChannelRepository, ChannelSummary } from '../../store/repositories/channels.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'

export interface FixDependencies {
  readonly channels: ChannelRepository
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'reload'>
  readonly auditLog: AuditLog
  readonly locks: KeyedMutex<number>
}

/**
 * Repairs what an interrupted import or a manual edit of the database left behind: channels without an account,
 * accounts without a channel, wrong key counts, states of missing keys. Then reloads all channels. Returns the number
 * of repairs; 0 when everything was consistent.
 */
export async function fixChannels(actor: Actor, deps: FixDependencies): Promise<number> {
  const { channels, directory, auditLog, locks } = deps
  const rows = await channels.repair()
  await directory.reload()
  let repairs = rows
  for (const { id } of (await channels.listSummaries()).filter((channel) => isInconsistent(channel, deps)))
    repairs += await locks.run(id, () => fixKeys(id, deps))
  if (repairs > rows) await directory.reload()
  const target = { kind: 'channel' as const, name: '' }
  await auditLog.record(actor, { action: 'channel.fix', target, after: { repairs } })
  return repairs
}

async function fixKeys(id: number, deps: FixDependencies): Promise<number> {
  const channel = await deps.channels.find(id)
  if (channel === undefined || !isInconsistent(channel, deps)) return 0
  const keyCount = keysOf(channel, deps)
  const keyStates = channel.keyStates.filter(({ index }) => index < keyCount)
  await deps.channels.update(id, { keyCount, keyStates })
  return 1
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
