import { type AuditAction, type ChannelStops, calls } from '@tollgate/api'
import { type RequestInput, request } from '../../../../lib/api/api-client.ts'

/** Channels, or all of a tag, and what they would serve; out of service without. */
export type IntendedChange = RequestInput<typeof calls.channels.stops>['body']

/** Says what stops with an intended change. */
export function readStops(body: IntendedChange): Promise<ChannelStops> {
  return request(calls.channels.stops, { body })
}

const changes = [
  'channel.disable',
  'channel.enable',
  'channel.update',
] as const satisfies readonly AuditAction[]
/** Recorded change that the console offers to take back. */
export type UndoneChange = (typeof changes)[number]

/**
 * Takes the latest such change of each channel back, by its record in the audit log: what somebody else has changed since stays, and is
 * refused by name.
 */
export async function undoChannelChanges(action: UndoneChange, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    const query = { action, target_kind: 'channel', target_id: id, p: 1, page_size: 1 } as const
    const { items } = await request(calls.auditLog.list, { query })
    const [record] = items
    if (record) await request(calls.auditLog.revert, { params: { id: record.id } })
  }
}
