import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

const consoleViewTable = defineTable('console_views', {
  /** Hash of the viewer's own session, without which the view is none. */
  sessionHash: text(),
  /** The user as whom the console is seen. */
  userId: integer(),
  viewerId: integer(),
  /** The address from which the viewer started it. */
  address: text(),
  startedAt: integer(),
  expiresAt: integer(),
})

/** A session in which an administrator sees the console as a user does. */
export type ConsoleView = EntityOf<typeof consoleViewTable>

export function createConsoleViewRepository({ db }: Connection) {
  return {
    /** Starts the view anew where the session has one of the user. */
    async start(view: ConsoleView): Promise<void> {
      const row = consoleViewTable.insertion(view)
      await db
        .insertInto('console_views')
        .values(row)
        .onConflict((conflict) => conflict.columns(['session_hash', 'user_id']).doUpdateSet(row))
        .execute()
    },
    /** Not expired at `now`. */
    has: (sessionHash: string, userId: number, now: Seconds): Promise<boolean> =>
      hasRow(
        db
          .selectFrom('console_views')
          .select('user_id')
          .where('session_hash', '=', sessionHash)
          .where('user_id', '=', userId)
          .where('expires_at', '>', now),
      ),
    /** Ends the view; false where there is none. */
    end: (sessionHash: string, userId: number): Promise<boolean> =>
      hasRow(
        db
          .deleteFrom('console_views')
          .where('session_hash', '=', sessionHash)
          .where('user_id', '=', userId)
          .returning('user_id'),
      ),
    /** Ends those whose time is over, or whose session is; returns them. */
    async endOver(now: Seconds): Promise<ConsoleView[]> {
      const sessions = sql`select 1 from sessions where id_hash = console_views.session_hash`
      const ended = db
        .deleteFrom('console_views')
        .where(sql<boolean>`(expires_at <= ${now} or not exists (${sessions}))`)
        .returningAll()
      return (await ended.execute()).map(consoleViewTable.read)
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    console_views: RowOf<typeof consoleViewTable>
  }
}

export type ConsoleViewRepository = ReturnType<typeof createConsoleViewRepository>
