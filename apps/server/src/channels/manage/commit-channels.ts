import type { Actor, AuditEvent, AuditLog } from '../../audit-log/audit-log.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import { type ChannelChange, type ChannelRepository, isInSummary } from '../../store/repositories/channels.ts'
import type { Store } from '../../store/store.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'

export interface CommitDependencies {
  readonly store: Pick<Store, 'transaction'>
  readonly auditLog: AuditLog
  readonly bus: ChangeBus
  readonly directory: Pick<ClosableChannelDirectory, 'settled'>
}

/** What a transaction wrote: the channels that changed, and their audited actions. */
export interface Written<Result> {
  readonly result: Result
  readonly ids: readonly number[]
  readonly auditEvents: readonly AuditEvent[]
  /** The fields written for all of them; left out when they were created or deleted. */
  readonly change?: ChannelChange
}

/**
 * Writes channels and their audit rows in one transaction, and publishes one event for all of them. Resolves when the
 * routing snapshot has the change.
 */
export async function commitChannels<Result>(
  { store, auditLog, bus, directory }: CommitDependencies,
  actor: Actor,
  work: (channels: ChannelRepository) => Promise<Written<Result>>,
): Promise<Result> {
  const { result, ids, change } = await store.transaction(async (tx) => {
    const written = await work(tx.channels)
    await auditLog.recordAll(actor, written.auditEvents, tx)
    return written
  })
  if (ids.length > 0) {
    bus.publish('channels-changed', { ids, inSummary: change !== undefined && isInSummary(change) })
    await directory.settled()
  }
  return result
}
