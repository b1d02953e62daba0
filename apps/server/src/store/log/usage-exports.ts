import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, integer, type RowOf, text } from '../schema/table.ts'
import type { LogRow } from './index/log-row.ts'

export const usageExportTable = defineTable('usage_exports', {
  destination: text(),
  /** The row of the log up to which the destination has everything. */
  exportedId: integer(),
})

export function createUsageExportRepository(connection: Connection) {
  const { db } = connection
  return {
    /** `undefined` for a destination that has got nothing yet. */
    async position(destination: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('usage_exports')
        .select('exported_id')
        .where('destination', '=', destination)
        .executeTakeFirst()
      return row?.exported_id
    },
    /** Starts a destination at a row; nothing changes for one that was started. */
    async start(destination: string, exportedId: number): Promise<void> {
      await db
        .insertInto('usage_exports')
        .values(usageExportTable.insertion({ destination, exportedId }))
        .onConflict((known) => known.column('destination').doNothing())
        .execute()
    },
    /** The destination has got what is up to `to`. False when another node has moved it meanwhile. */
    advance: (destination: string, from: number, to: number): Promise<boolean> =>
      hasRow(
        db
          .updateTable('usage_exports')
          .set({ exported_id: to })
          .where('destination', '=', destination)
          .where('exported_id', '=', from)
          .returning('destination'),
      ),
    /**
     * The id up to which every row of the log can be read: rows above it may still be on their way, also in front of others.
     * Rejects when rows are being added without a pause.
     */
    settledId: (): Promise<number> =>
      connection.transaction(async (joined) => {
        for (const statement of joined.dialect.betweenLogRows) await sql.raw(statement).execute(joined.db)
        const last = await joined.db
          .selectFrom('logs')
          .select(({ fn }) => fn.max('id').as('id'))
          .executeTakeFirst()
        return Number(last?.id ?? 0)
      }),
    /** Rows of calls, charged and failed, behind the id `after` up to `upTo`, oldest first. */
    callsAfter: (after: number, upTo: number, size: number): Promise<readonly LogRow[]> =>
      connection.read('readCallsAfter', after, upTo, size),
    /** Forgets a destination: it starts anew when it comes back. */
    async forget(destination: string): Promise<void> {
      await db.deleteFrom('usage_exports').where('destination', '=', destination).execute()
    },
  }
}

/** Repository of the progress of exporting the usage log. */
export type UsageExportRepository = ReturnType<typeof createUsageExportRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    usage_exports: RowOf<typeof usageExportTable>
  }
}
