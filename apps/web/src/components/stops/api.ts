import { type AuditAction, type AuditTargetKind, type ChannelStops, calls } from '@tollgate/api'
import { type RequestInput, request } from '../../lib/api/api-client.ts'
import { currentUser } from '../../lib/session/session.ts'

/** Change of channels, of a price or of a group; see the contract. */
export type IntendedChange = RequestInput<typeof calls.channels.stops>['body']

/** Says what stops, or is charged otherwise, with an intended change. */
export function readStops(body: IntendedChange): Promise<ChannelStops> {
  return request(calls.channels.stops, { body })
}

/** A change that the audit log has recorded: its target has an id, or a name alone. */
export interface Changed {
  readonly action: AuditAction
  readonly kind: AuditTargetKind
  readonly target: number | string
}

/** Records of one action among which that of a name is looked for: the change was made seconds ago. */
const maxRecords = 20

/**
 * Takes the person's latest such change of each target back, by its record in the audit log: what somebody else has changed since stays, and is
 * refused by name.
 * @returns the number of changes whose record the person may see
 */
export async function undoChanges(changes: readonly Changed[]): Promise<number> {
  let undone = 0
  for (const { action, kind, target } of changes) {
    const named = typeof target === 'string'
    const actor = currentUser()?.username
    const query = { action, actor, target_kind: kind, p: 1, ...(named ? {} : { target_id: target }) } as const
    const { items } = await request(calls.auditLog.list, {
      query: { ...query, page_size: named ? maxRecords : 1 },
    })
    const record = items.find(({ target_name }) => !named || target_name === target)
    if (record === undefined) continue
    await request(calls.auditLog.revert, { params: { id: record.id } })
    undone += 1
  }
  return undone
}
