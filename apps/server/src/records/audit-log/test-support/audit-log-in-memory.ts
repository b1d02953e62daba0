import type { AuditEvent, AuditLog } from '../audit-log.ts'

/** An audit log in memory, which tests may read. */
export function auditLogInMemory(): {
  readonly auditLog: AuditLog
  readonly auditEvents: readonly AuditEvent[]
} {
  const auditEvents: AuditEvent[] = []
  const recordAll: AuditLog['recordAll'] = async (_, done) => void auditEvents.push(...done)
  return { auditLog: { recordAll, record: (actor, act) => recordAll(actor, [act]) }, auditEvents }
}
