import type { AuditEvent } from '../audit-log/audit-log.ts'
import type { Redemption } from '../store/repositories/redemptions.ts'

/** What can be done to many codes at once. */
export type BulkAction = 'delete' | 'disable' | 'enable'

/** Acts on codes as the audit log tells them: never with a key. */
export function bulkEntry(action: BulkAction, code: Redemption): AuditEvent {
  const { name, quota, status } = code
  return { action: `redemption.${action}`, target: targetOf(code), before: { name, quota, status } }
}

/** One act for a batch: its codes differ in their ids alone. */
export function creationEntry(codes: readonly Redemption[]): AuditEvent {
  const [first] = codes
  if (first === undefined) throw new Error('a batch has at least one code')
  const { name, quota } = first
  const ids = codes.map(({ id }) => id)
  return { action: 'redemption.create', target: targetOf(first), after: { name, quota, ids } }
}

export function editEntry(before: Redemption, after: Redemption): AuditEvent {
  return {
    action: 'redemption.update',
    target: targetOf(before),
    before: { name: before.name, quota: before.quota },
    after: { name: after.name, quota: after.quota },
  }
}

function targetOf({ id, name }: Redemption): AuditEvent['target'] {
  return { kind: 'redemption', id, name }
}
