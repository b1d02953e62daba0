import type { ChannelStopsBody, ChannelUpdateBody } from '@tollgate/api'
import type { Vault } from '../../lib/crypto.ts'
import type { ServiceFields } from '../../records/audit-log/before-change.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { keyIds, openKeys } from './channel-keys.ts'
import { restoredService } from './service-state.ts'

/** An edit of a form, and the service that a channel had before. */
export interface ChannelEdit {
  readonly body: Omit<ChannelUpdateBody, 'id'>
  readonly service?: ServiceFields
}

/** A change of one channel, as the question before it has it; empty where nothing goes out of service. */
export type IntendedRevision = Partial<Pick<ChannelStopsBody, 'ids' | 'key_id' | 'models' | 'group'>>

/** Returns what an edit of a channel would take out of service: all of it, one key, or models and groups. */
export function intendedRevision(
  channel: Channel,
  { body: { models, group }, service = {} }: ChannelEdit,
  vault: Pick<Vault, 'open' | 'hash'>,
): IntendedRevision {
  const after = { ...channel, ...restoredService(channel, service, vault) }
  const ids = [channel.id]
  if (after.status !== 'enabled' || after.keyStates.length >= channel.keyCount) return { ids }
  const wasOff = new Set(channel.keyStates.map(({ index }) => index))
  const [off, ...others] = after.keyStates.filter(({ index }) => !wasOff.has(index))
  if (off !== undefined && others.length === 0)
    return { ids, key_id: keyIds(openKeys(channel, vault), vault)[off.index] }
  if (models === undefined && group === undefined) return {}
  return { ids, models, group }
}
