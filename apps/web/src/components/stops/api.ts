import {
  type AuditAction,
  type AuditRecordRow,
  type AuditTargetKind,
  type ChannelStops,
  calls,
} from '@tollgate/api'
import { type RequestInput, request } from '../../lib/api/api-client.ts'
import { currentUser } from '../../lib/session/session.ts'

/** Change of channels, of a price or of a group; see the contract. */
export type IntendedChange = RequestInput<typeof calls.channels.stops>['body']

/** Says what stops, or is charged otherwise, with an intended change. */
export function readStops(body: IntendedChange): Promise<ChannelStops> {
  return request(calls.channels.stops, { body })
}

/** A change that the audit log has recorded: of a target, by its id or its name alone, or the one that took a record back. */
export type Changed = { readonly kind: AuditTargetKind | undefined } & (
  | { readonly action: AuditAction; readonly target: number | string }
  | { readonly reverted: number }
)

/** Records of one action among which that of a name is looked for: the change was made seconds ago. */
const maxRecords = 20

/**
 * Takes the person's latest such change of each target back, by its record in the audit log: what somebody else has changed since stays, and is
 * refused by name.
 * @returns the number of changes whose record the person may see
 */
export async function undoChanges(changes: readonly Changed[]): Promise<number> {
  let undone = 0
  for (const change of changes) {
    const record = await findRecord(change)
    if (record === undefined) continue
    await request(calls.auditLog.revert, { params: { id: record.id } })
    undone += 1
  }
  return undone
}

async function findRecord(change: Changed): Promise<AuditRecordRow | undefined> {
  const { target, action } = 'reverted' in change ? { target: undefined, action: undefined } : change
  const id = typeof target === 'number' ? { target_id: target } : {}
  const { items } = await request(calls.auditLog.list, {
    query: {
      ...{ action, actor: currentUser()?.username, target_kind: change.kind, p: 1, ...id },
      page_size: 'target_id' in id ? 1 : maxRecords,
    },
  })
  return items.find(({ target_name: name, reverts }) =>
    'reverted' in change ? reverts === change.reverted : typeof target === 'number' || name === target,
  )
}
