import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, integer, type RowOf } from '../schema/table.ts'
import type { Seconds } from '../units.ts'
import { hasRowsLeft, takeOverStatements } from './quarters/take-over.ts'

const openQuarterTable = defineTable('open_quarters', { quarter: integer() })
const quarterSumTable = defineTable('quarter_sums', { id: integer(), since: integer() })

/** Quarters of hours that have rows of their own in the hourly tables, until these are taken over into their hours. */
export interface QuarterRepository {
  /** Those that began before a time, oldest first. */
  listOpen(before: Seconds): Promise<readonly Seconds[]>
  /** Takes the next rows of a quarter over; false when there may be more. */
  takeOver(quarter: Seconds): Promise<boolean>
}

export function createQuarterRepository(connection: Connection): QuarterRepository {
  const { db, dialect } = connection
  return {
    async listOpen(before) {
      const rows = await db
        .selectFrom('open_quarters')
        .select('quarter')
        .where('quarter', '<', before)
        .orderBy('quarter')
        .execute()
      return rows.map(({ quarter }) => quarter)
    },
    takeOver: (quarter) =>
      connection.transaction(async ({ db: tx, batch }) => {
        // A flush takes its locks first: another order here could deadlock.
        await batch(dialect.beforeFlush.map((text) => ({ sql: text, parameters: [] })))
        // Whoever adds rows to the quarter holds this lock: none are added between the look and the deletion.
        await sql`select quarter from open_quarters where quarter = ${quarter} ${sql.raw(dialect.lockRow)}`.execute(
          tx,
        )
        const since = await tx.selectFrom('quarter_sums').select('since').executeTakeFirst()
        await batch(takeOverStatements(quarter, quarter >= (since?.since ?? 0)))
        if (
          await hasRow(
            tx
              .selectFrom('open_quarters')
              .select('quarter')
              .where(sql<boolean>`${sql.raw(hasRowsLeft(quarter))}`)
              .limit(1),
          )
        )
          return false
        await tx.deleteFrom('open_quarters').where('quarter', '=', quarter).execute()
        return true
      }),
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    open_quarters: RowOf<typeof openQuarterTable>
    quarter_sums: RowOf<typeof quarterSumTable>
  }
}
