import { type AuditRecordRow, type Consent, calls, roles } from '@tollgate/api'
import type { ProvableActor } from '../../../records/audit-log/audit-log.ts'
import { getAuditRecord, listAuditLog } from '../../../records/audit-log/audit-pages.ts'
import type { AuditRecord } from '../../../store/log/audit-log.ts'
import type { Store } from '../../../store/store.ts'
import { type ConsoleRoute, pageResult, route } from '../route.ts'

interface Dependencies {
  readonly store: Pick<Store, 'auditLog' | 'users'>
  readonly revert: (actor: ProvableActor, id: number, consent: Consent) => Promise<void>
}

/** Routes of administrators' audited actions, for administrators. */
export function auditLogRoutes(deps: Dependencies): ConsoleRoute[] {
  return [
    route(calls.auditLog.list, async ({ query }, { caller }) =>
      pageResult(query, await listAuditLog(deps, caller, query), toWire),
    ),
    route(calls.auditLog.get, async ({ params }, { caller }) =>
      toWire(await getAuditRecord(deps, caller, params.id)),
    ),
    route(calls.auditLog.revert, ({ params, query }, { actor }) => deps.revert(actor, params.id, query)),
  ]
}

function toWire(record: AuditRecord): AuditRecordRow {
  return {
    id: record.id,
    created_at: record.createdAt,
    actor_id: record.actorId,
    actor_name: record.actorName,
    actor_role: roles[record.actorRole],
    address: record.address,
    action: record.action,
    target_kind: record.targetKind,
    target_id: record.targetId,
    target_name: record.targetName,
    before: record.before,
    after: record.after,
  }
}
