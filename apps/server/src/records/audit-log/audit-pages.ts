import {
  type AuditLogQuery,
  type AuditTargetKind,
  auditTargetKinds,
  type CallPart,
  mayUsePart,
  type PartHolder,
} from '@tollgate/api'
import { Refusal } from '../../lib/refusal.ts'
import type { AuditLogFilter, AuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'

interface Dependencies {
  readonly store: {
    readonly auditLog: Pick<Store['auditLog'], 'page' | 'listReverting'>
    readonly users: Pick<Store['users'], 'idsByUsername'>
  }
}

/** A record with the one that took it back; 0 while none did. */
export interface ReadRecord extends AuditRecord {
  readonly revertedBy: number
}

export interface AuditPage {
  readonly rows: readonly ReadRecord[]
  readonly total: number
}

/** The actions that a reader may see: administrators those of their parts, and none on options. */
export async function listAuditLog(
  { store }: Dependencies,
  reader: PartHolder,
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
  const { rows, total } = await store.auditLog.page(filter, { offset, limit })
  return { rows: await withReverting(store, rows), total }
}

/** One action, for a reader whose list has it. */
export async function getAuditRecord(
  { store }: { readonly store: Pick<Dependencies['store'], 'auditLog'> },
  reader: PartHolder,
  id: number,
): Promise<ReadRecord> {
  const { rows } = await store.auditLog.page({ id, ...visibleTo(reader) }, { offset: 0, limit: 1 })
  const [record] = await withReverting(store, rows)
  if (record === undefined) throw new Refusal('record_not_found')
  return record
}

async function withReverting(
  { auditLog }: Pick<Dependencies['store'], 'auditLog'>,
  rows: readonly AuditRecord[],
): Promise<readonly ReadRecord[]> {
  const reverting = await auditLog.listReverting(rows.map(({ id }) => id))
  return rows.map((row) => ({ ...row, revertedBy: reverting.get(row.id) ?? 0 }))
}

/** The part of an administrator that shows the changes of a kind of target; `undefined`: root alone sees them. */
const partOfKind = {
  user: 'users',
  invitation: 'users',
  token: 'users',
  option: undefined,
  channel: 'channels',
  tag: 'channels',
  redemption: 'money',
  'top-up-order': 'money',
  log: 'log',
  group: ['users', 'prices'],
  model: 'prices',
  correction: 'money',
  incident: 'any',
  'status-incident': ['channels', 'settings'],
  gateway: 'any',
} as const satisfies Record<AuditTargetKind, CallPart | undefined>

function visibleTo(reader: PartHolder): AuditLogFilter {
  return { exceptTargetKinds: auditTargetKinds.filter((kind) => !mayUsePart(reader, partOfKind[kind])) }
}
