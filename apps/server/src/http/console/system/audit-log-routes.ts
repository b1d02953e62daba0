import { auditRecordResource, type Consent, calls } from '@tollgate/api'
import type { ProvableActor } from '../../../records/audit-log/audit-log.ts'
import { getAuditRecord, listAuditLog, type ReadRecord } from '../../../records/audit-log/audit-pages.ts'
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

function toWire(record: ReadRecord) {
  return { ...auditRecordResource.toWire(record), reverted_by: record.revertedBy }
}
