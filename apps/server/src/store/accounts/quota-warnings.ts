import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, flag, integer, type RowOf } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

export const quotaWarningTable = defineTable('quota_warnings', {
  userId: integer(),
  warnedAt: integer(),
  /** False while the message is still to be delivered, also after a restart. */
  settled: flag(),
})
/** A user who was warned of a low balance. */
export type QuotaWarning = EntityOf<typeof quotaWarningTable>

export function createQuotaWarningRepository({ db }: Connection) {
  return {
    async listAll(): Promise<readonly QuotaWarning[]> {
      return await quotaWarningTable.all(db.selectFrom('quota_warnings').selectAll().orderBy('user_id'))
    },
    isWarned: (userId: number): Promise<boolean> =>
      hasRow(db.selectFrom('quota_warnings').select('user_id').where('user_id', '=', userId)),
    /** False, and nothing changes, for somebody who is among them already: one of several nodes warns. */
    add: (userId: number, at: Seconds): Promise<boolean> =>
      hasRow(
        db
          .insertInto('quota_warnings')
          .values(quotaWarningTable.insertion({ userId, warnedAt: at, settled: false }))
          .onConflict((known) => known.column('user_id').doNothing())
          .returning('user_id'),
      ),
    /** Settles the message: it was delivered or given up. */
    async markSettled(userId: number): Promise<void> {
      await db.updateTable('quota_warnings').set({ settled: 1 }).where('user_id', '=', userId).execute()
    },
    async remove(userId: number): Promise<void> {
      await db.deleteFrom('quota_warnings').where('user_id', '=', userId).execute()
    },
  }
}

/** Users who were warned of a low balance, and have not been above their threshold since. */
export type QuotaWarningRepository = ReturnType<typeof createQuotaWarningRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    quota_warnings: RowOf<typeof quotaWarningTable>
  }
}
