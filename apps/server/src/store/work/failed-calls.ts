import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import type { Seconds } from '../units.ts'

export const failedCallTable = defineTable('failed_calls', {
  requestId: text(),
  userId: integer(),
  /** The request, sealed. */
  sealed: text(),
  /** Its size before sealing. */
  bytes: integer(),
  createdAt: integer(),
  expiresAt: integer(),
})
/** A failed call whose request is kept. */
export type FailedCall = EntityOf<typeof failedCallTable>

export function createFailedCallRepository({ db }: Connection) {
  return {
    async add(call: FailedCall): Promise<void> {
      await db
        .insertInto('failed_calls')
        .values(failedCallTable.insertion(call))
        .onConflict((known) => known.column('request_id').doNothing())
        .execute()
    },
    async find(requestId: string, now: Seconds): Promise<FailedCall | undefined> {
      return failedCallTable.first(
        db
          .selectFrom('failed_calls')
          .selectAll()
          .where('request_id', '=', storableText(requestId))
          .where('expires_at', '>', now),
      )
    },
    /** Users of whom there are calls. */
    async userIds(): Promise<number[]> {
      const rows = await db.selectFrom('failed_calls').select('user_id').distinct().execute()
      return rows.map(({ user_id }) => user_id)
    },
    async deleteOfUser(userId: number): Promise<void> {
      await db.deleteFrom('failed_calls').where('user_id', '=', userId).execute()
    },
    async deleteExpired(now: Seconds): Promise<void> {
      await db.deleteFrom('failed_calls').where('expires_at', '<=', now).execute()
    },
    /** Keeps the newest ones. */
    async trim(max: number): Promise<void> {
      const first = await db
        .selectFrom('failed_calls')
        .select('created_at')
        .orderBy('created_at', 'desc')
        .offset(max)
        .limit(1)
        .executeTakeFirst()
      if (first) await db.deleteFrom('failed_calls').where('created_at', '<=', first.created_at).execute()
    },
  }
}

export type FailedCallRepository = ReturnType<typeof createFailedCallRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    failed_calls: RowOf<typeof failedCallTable>
  }
}
