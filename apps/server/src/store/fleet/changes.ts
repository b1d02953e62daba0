import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, generatedId, integer, type RowOf, text } from '../schema/table.ts'

/** Kinds of rows that nodes hold in memory; a trigger on their table announces each change of one. */
export type ChangeKind = 'user' | 'token' | 'channel' | 'option' | 'quota-warning' | 'account'

/** A committed change of a row that nodes hold in memory. On PostgreSQL alone; triggers write it. */
export const changeTable = defineTable('changes', {
  id: generatedId(),
  kind: text<ChangeKind>(),
  /** The row, by what nodes find it by: an id, an option's key, a token's id and the hash of its key. */
  key: text(),
  /** Name of the connection that made the change; a node passes over its own. */
  author: text(),
  /** Time by the database's clock. */
  atMs: integer(),
})
const announced = changeTable.pick(['kind', 'key', 'author'])
export type AnnouncedChange = EntityOf<typeof announced>

export function createChangeRepository({ db, dialect }: Connection) {
  const now = sql.raw<number>(dialect.nowMs)
  return {
    /** The changes since then, of others than `author`, each once; at most `limit`. */
    listSince: (atMs: number, author: string, limit: number): Promise<AnnouncedChange[]> =>
      announced.all(
        db
          .selectFrom('changes')
          .select(['kind', 'key', 'author'])
          .distinct()
          .where('at_ms', '>=', atMs)
          .where('author', '<>', author)
          .limit(limit),
      ),
    /** Deletes those that are older than that. */
    async removeOlder(ageMs: number): Promise<void> {
      await db.deleteFrom('changes').where('at_ms', '<', sql<number>`${now} - ${ageMs}`).execute()
    },
  }
}

/** Repository of recent changes, for nodes that did not hear of them. */
export type ChangeRepository = ReturnType<typeof createChangeRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    changes: RowOf<typeof changeTable>
  }
}
