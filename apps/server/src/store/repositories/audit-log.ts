import { roles } from '@tollgate/api/roles'
import type { Insertable } from 'kysely'
import type { Connection } from '../database.ts'
import type { AuditRecord } from '../entities.ts'
import type { AuditLogFilter, AuditLogRepository } from '../store.ts'
import type { AuditLogRow } from '../tables.ts'
import { type Fields, integer, named, readEntity, text, writeColumns } from './fields.ts'

/** Parameters of one statement are limited. */
const rowsPerInsert = 1000

const fields: Fields<AuditRecord> = {
  id: integer('id'),
  createdAt: integer('created_at'),
  actorId: integer('actor_id'),
  actorName: text('actor_name'),
  actorRole: named('actor_role', roles),
  address: text('address'),
  // The contract's own words are all that is ever written there.
  action: text('action') as Fields<AuditRecord>['action'],
  targetKind: text('target_kind') as Fields<AuditRecord>['targetKind'],
  targetId: integer('target_id'),
  targetName: text('target_name'),
  before: text('before'),
  after: text('after'),
}

/** Parts of a filter that a column has to be equal to. */
const equal = [
  ['id', 'id'],
  ['actorId', 'actor_id'],
  ['action', 'action'],
  ['targetKind', 'target_kind'],
  ['targetId', 'target_id'],
] as const

export function createAuditLogRepository({ db }: Connection): AuditLogRepository {
  const matching = (filter: AuditLogFilter) => {
    let found = db.selectFrom('audit_log')
    for (const [name, column] of equal)
      if (filter[name] !== undefined) found = found.where(column, '=', filter[name])
    if (filter.exceptTargetKind !== undefined)
      found = found.where('target_kind', '<>', filter.exceptTargetKind)
    if (filter.from !== undefined) found = found.where('created_at', '>=', filter.from)
    if (filter.to !== undefined) found = found.where('created_at', '<=', filter.to)
    return found
  }

  return {
    async append(records) {
      for (let start = 0; start < records.length; start += rowsPerInsert) {
        const rows = records
          .slice(start, start + rowsPerInsert)
          .map((record) => writeColumns<AuditRecord, Insertable<AuditLogRow>>(fields, { ...record }))
        await db.insertInto('audit_log').values(rows).execute()
      }
    },
    async page(filter, { offset, limit }) {
      const [rows, counted] = await Promise.all([
        matching(filter).selectAll().orderBy('id', 'desc').offset(offset).limit(limit).execute(),
        matching(filter)
          .select((count) => count.fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow(),
      ])
      return { rows: rows.map((row) => readEntity(fields, row)), total: counted.total }
    },
  }
}
