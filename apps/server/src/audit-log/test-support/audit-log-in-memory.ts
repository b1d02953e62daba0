import type { Act, AuditLog } from '../audit-log.ts'

/** An audit log that keeps the acts for the test to look at. */
export function auditLogInMemory(): { readonly auditLog: AuditLog; readonly acts: readonly Act[] } {
  const acts: Act[] = []
  const recordAll: AuditLog['recordAll'] = async (_, done) => void acts.push(...done)
  return { auditLog: { recordAll, record: (actor, act) => recordAll(actor, [act]) }, acts }
}
