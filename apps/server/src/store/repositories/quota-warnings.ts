import type { Connection } from '../database.ts'
import type { QuotaWarningRepository } from '../quota-warning-repository.ts'

export function createQuotaWarningRepository({ db }: Connection): QuotaWarningRepository {
  return {
    async listAll() {
      const rows = await db.selectFrom('quota_warnings').selectAll().orderBy('user_id').execute()
      return rows.map((row) => ({ userId: row.user_id, settled: row.settled === 1 }))
    },
    async add(userId, at) {
      await db
        .insertInto('quota_warnings')
        .values({ user_id: userId, warned_at: at, settled: 0 })
        .onConflict((known) => known.column('user_id').doNothing())
        .execute()
    },
    async markSettled(userId) {
      await db.updateTable('quota_warnings').set({ settled: 1 }).where('user_id', '=', userId).execute()
    },
    async remove(userId) {
      await db.deleteFrom('quota_warnings').where('user_id', '=', userId).execute()
    },
  }
}
