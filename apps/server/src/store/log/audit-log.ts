import { type AuditAction, type AuditTargetKind, auditRecordRecord } from '@tollgate/api'
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow, type Page, type PageOf, readPage } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import { defineTable, type EntityOf, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

export interface AuditLogFilter {
  /** One record alone. */
  readonly id?: number | undefined
  readonly actorId?: number | undefined
  readonly action?: AuditRecord['action'] | undefined
  readonly targetKind?: AuditRecord['targetKind'] | undefined
  readonly targetId?: number | undefined
  /** Excludes actions on these kinds of target. */
  readonly exceptTargetKinds?: readonly AuditRecord['targetKind'][] | undefined
  /** Both inclusive. */
  readonly from?: Seconds | undefined
  readonly to?: Seconds | undefined
}

/** Parameters of one statement are limited. */
const rowsPerInsert = 1000

export const auditRecordTable = defineTable('audit_log', {
  ...columnsOf(auditRecordRecord),
  action: text<AuditAction>(),
  targetKind: text<AuditTargetKind>(),
})

/** One administrative action: who did what to which record, from where, and what changed. */
export type AuditRecord = EntityOf<typeof auditRecordTable>
export type NewAuditRecord = Omit<AuditRecord, 'id' | 'reverts'> & Partial<Pick<AuditRecord, 'reverts'>>

export function createAuditLogRepository({ db }: Pick<Connection, 'db'>) {
  const matching = ({ exceptTargetKinds = [], from, to, ...fields }: AuditLogFilter) => {
    let found = db.selectFrom('audit_log').where(({ and }) => and(auditRecordTable.filter(fields)))
    for (const kind of exceptTargetKinds) found = found.where('target_kind', '<>', kind)
    if (from !== undefined) found = found.where('created_at', '>=', from)
    if (to !== undefined) found = found.where('created_at', '<=', to)
    return found
  }

  return {
    /** @returns false, without one of the records, where it takes back what another takes back already */
    async append(records: readonly NewAuditRecord[]): Promise<boolean> {
      let appended = 0
      for (let start = 0; start < records.length; start += rowsPerInsert) {
        const rows = records
          .slice(start, start + rowsPerInsert)
          .map((record) => auditRecordTable.insertion({ reverts: 0, ...record }))
        const insert = db.insertInto('audit_log').values(rows)
        const { numInsertedOrUpdatedRows } = await insert
          .onConflict((known) => known.doNothing())
          .executeTakeFirstOrThrow()
        appended += Number(numInsertedOrUpdatedRows)
      }
      return appended === records.length
    },
    /** Finds whether a record was taken back, or one of these actions followed on its target. */
    async isOver(
      { id, targetKind, targetId, targetName }: AuditRecord,
      endedBy: readonly AuditAction[],
    ): Promise<boolean> {
      const records = db.selectFrom('audit_log').select('id').limit(1)
      if (await hasRow(records.where('reverts', '>', 0).where('reverts', '=', id))) return true
      if (endedBy.length === 0) return false
      const target = { targetKind, targetId, ...(targetId === 0 && { targetName }) }
      const later = records.where(({ and }) => and(auditRecordTable.filter(target))).where('id', '>', id)
      return await hasRow(later.where('action', 'in', [...endedBy]))
    },
    /** The records that took these back, by the ids of these. */
    async listReverting(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('audit_log')
        .select(['id', 'reverts'])
        .where('reverts', '>', 0)
        .where('reverts', 'in', [...ids])
        .execute()
      return new Map(rows.map(({ id, reverts }) => [reverts, id]))
    },
    /** Returns those of the targets on which somebody did one of these actions. */
    async targetsOf(
      actorId: number,
      targetKind: AuditTargetKind,
      targetIds: readonly number[],
      actions: readonly AuditAction[],
    ): Promise<number[]> {
      if (targetIds.length === 0) return []
      const about = db
        .selectFrom('audit_log')
        .select('target_id')
        .distinct()
        .where('target_kind', '=', targetKind)
        .where('target_id', 'in', [...targetIds])
        .where('actor_id', '=', actorId)
        .where('action', 'in', [...actions])
      return (await about.execute()).map(({ target_id }) => target_id)
    },
    /** The id of the last record about one of these targets; 0 where there is none. */
    async lastIdAbout(targetKind: AuditTargetKind, targetIds: readonly number[]): Promise<number> {
      const about = db.selectFrom('audit_log').where('target_kind', '=', targetKind)
      const last = about.where('target_id', 'in', [...targetIds]).select(sql<number | null>`max(id)`.as('id'))
      return (await last.executeTakeFirst())?.id ?? 0
    },
    /** Newest first, with the filter's total. */
    async page(filter: AuditLogFilter, page: Page): Promise<PageOf<AuditRecord>> {
      return await readPage(auditRecordTable, matching(filter).selectAll().orderBy('id', 'desc'), page)
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    audit_log: RowOf<typeof auditRecordTable>
  }
}

export type AuditLogRepository = ReturnType<typeof createAuditLogRepository>
