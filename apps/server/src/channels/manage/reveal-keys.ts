import type { Vault } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import { channelAuditEvent } from './channel-audit.ts'
import { openKeys } from './channel-keys.ts'

export interface RevealDependencies {
  readonly channels: Pick<ChannelRepository, 'find'>
  readonly vault: Pick<Vault, 'open'>
  readonly auditLog: AuditLog
}

/** The keys of a channel, in their order. The audit log records the call before the keys are returned. */
export async function revealKeys(
  id: number,
  actor: Actor,
  { channels, vault, auditLog }: RevealDependencies,
): Promise<readonly string[]> {
  const channel = await channels.find(id)
  if (channel === undefined) throw new Refusal('record_not_found')
  const keys = openKeys(channel, vault)
  await auditLog.record(actor, channelAuditEvent('channel.reveal-keys', channel))
  return keys
}
