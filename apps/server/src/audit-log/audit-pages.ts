import type { AuditLogQuery, Role } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import type { AuditLogFilter, AuditRecord } from '../store/repositories/audit-log.ts'
import type { Store } from '../store/store.ts'

interface Dependencies {
  readonly store: {
    readonly auditLog: Pick<Store['auditLog'], 'page'>
    readonly users: Pick<Store['users'], 'idsByUsername'>
  }
}

export interface AuditPage {
  readonly rows: readonly AuditRecord[]
  readonly total: number
}

/** The actions that a reader of that role may see: administrators do not see changes of options. */
export async function listAuditLog(
  { store }: Dependencies,
  reader: Role,
  { p, page_size: limit, actor, ...query }: AuditLogQuery,
): Promise<AuditPage> {
  const actors = actor === undefined ? undefined : await store.users.idsByUsername(actor)
  if (actors?.length === 0) return { rows: [], total: 0 }
  const filter: AuditLogFilter = {
    actorId: actors?.[0],
    action: query.action,
    targetKind: query.target_kind,
    targetId: query.target_id,
    from: query.start_timestamp,
    to: query.end_timestamp,
    ...visibleTo(reader),
  }
  const offset = Math.min((p - 1) * limit, Number.MAX_SAFE_INTEGER)
  return await store.auditLog.page(filter, { offset, limit })
}

/** One action, for a reader whose list has it. */
export async function getAuditRecord(
  { store }: { readonly store: Pick<Dependencies['store'], 'auditLog'> },
  reader: Role,
  id: number,
): Promise<AuditRecord> {
  const { rows } = await store.auditLog.page({ id, ...visibleTo(reader) }, { offset: 0, limit: 1 })
  if (rows[0] === undefined) throw new Refusal('record_not_found')
  return rows[0]
}

function visibleTo(reader: Role): AuditLogFilter {
  return reader === 'root' ? {} : { exceptTargetKind: 'option' }
}
