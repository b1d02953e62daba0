import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf } from '../schema/table.ts'
import type { Quota, Seconds } from '../units.ts'

/** A credit for one call, of good will. It outlives the row of the call. */
export const goodwillCreditTable = defineTable('goodwill_credits', {
  logId: integer(),
  userId: integer(),
  amount: integer(),
  createdAt: integer(),
  actorId: integer(),
  /** 0 while it is in force. */
  takenBackAt: integer(),
})
export type GoodwillCredit = EntityOf<typeof goodwillCreditTable>

export function createGoodwillCreditRepository({ db, dialect }: Connection) {
  return {
    async find(logId: number): Promise<GoodwillCredit | undefined> {
      return goodwillCreditTable.first(
        db.selectFrom('goodwill_credits').selectAll().where('log_id', '=', logId),
      )
    },
    /** @returns false, without a change, when one is in force: of administrators who credit at once, one does */
    give(credit: Omit<GoodwillCredit, 'takenBackAt'>): Promise<boolean> {
      const row = goodwillCreditTable.insertion({ ...credit, takenBackAt: 0 })
      const inserted = db
        .insertInto('goodwill_credits')
        .values(row)
        .onConflict((known) =>
          known.column('log_id').doUpdateSet(row).where('goodwill_credits.taken_back_at', '<>', 0),
        )
        .returning('log_id')
      return hasRow(inserted)
    },
    /**
     * @param credit as it was read: its amount is what the balance loses
     * @returns false, without a change, when it is not in force, or another one is since
     */
    takeBack({ logId, amount }: Pick<GoodwillCredit, 'logId' | 'amount'>, at: Seconds): Promise<boolean> {
      const ended = db.updateTable('goodwill_credits').set({ taken_back_at: at }).where('log_id', '=', logId)
      const same = ended.where('taken_back_at', '=', 0).where('amount', '=', amount)
      return hasRow(same.returning('log_id'))
    },
    /** Looks for a credit in force. */
    hasGiven: (): Promise<boolean> =>
      hasRow(db.selectFrom('goodwill_credits').select('log_id').where('taken_back_at', '=', 0).limit(1)),
    /** The credits in force for these rows of the log, by their ids. */
    async listAmounts(logIds: readonly number[]): Promise<ReadonlyMap<number, Quota>> {
      if (logIds.length === 0) return new Map()
      const rows = await db
        .selectFrom('goodwill_credits')
        .select(['log_id', 'amount'])
        .where('taken_back_at', '=', 0)
        .where(dialect.isOneOf('log_id', logIds))
        .execute()
      return new Map(rows.map(({ log_id, amount }) => [log_id, amount]))
    },
  }
}

export type GoodwillCreditRepository = ReturnType<typeof createGoodwillCreditRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    goodwill_credits: RowOf<typeof goodwillCreditTable>
  }
}
