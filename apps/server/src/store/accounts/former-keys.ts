import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { countRows } from '../queries.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'
import type { Seconds } from '../units.ts'

const formerKeyTable = defineTable('former_keys', {
  /** As `tokens.key_hash` had it. */
  keyHash: text(),
  tokenId: integer(),
  keyHead: text(),
  keyTail: text(),
  replacedAt: integer(),
  /** Time until which it works beside the key that took its turn. */
  endsAt: integer(),
})

/** A key that a rotation replaced. Its row stays when it has ended, so that it is known when it is found somewhere. */
export type FormerKey = EntityOf<typeof formerKeyTable>

/** Keys that are known of one token beside its own; the oldest are forgotten. */
const maxKnown = 50

export function createFormerKeyRepository({ db, dialect }: Connection) {
  const all = () => db.selectFrom('former_keys').selectAll()
  const working = (tokenId: number, now: Seconds) =>
    db.selectFrom('former_keys').where('token_id', '=', tokenId).where('ends_at', '>', now)
  return {
    async add(key: FormerKey): Promise<void> {
      await db.insertInto('former_keys').values(formerKeyTable.insertion(key)).execute()
      const newest = db
        .selectFrom('former_keys')
        .select('key_hash')
        .where('token_id', '=', key.tokenId)
        .orderBy('replaced_at', 'desc')
        .limit(maxKnown)
      await db
        .deleteFrom('former_keys')
        .where('token_id', '=', key.tokenId)
        .where('ends_at', '<=', key.replacedAt)
        .where('key_hash', 'not in', newest)
        .execute()
    },
    /** Finds the one with one of these hashes, ended or not. */
    find(keyHashes: readonly string[]): Promise<FormerKey | undefined> {
      return formerKeyTable.first(all().where(dialect.isOneOf('key_hash', keyHashes)))
    },
    /** Finds those of these hashes that work at `now`, by hash. */
    async listWorking(keyHashes: readonly string[], now: Seconds): Promise<ReadonlyMap<string, FormerKey>> {
      const rows = await all()
        .where(dialect.isOneOf('key_hash', keyHashes))
        .where('ends_at', '>', now)
        .execute()
      return new Map(rows.map((row) => [row.key_hash, formerKeyTable.read(row)]))
    },
    /** Lists those of a token that work at `now`, the last to end first. */
    listWorkingOf(tokenId: number, now: Seconds): Promise<FormerKey[]> {
      const rows = working(tokenId, now).selectAll().orderBy('ends_at', 'desc').orderBy('key_hash')
      return formerKeyTable.all(rows)
    },
    countWorking: (tokenId: number, now: Seconds): Promise<number> => countRows(working(tokenId, now)),
    /** Ends those of a token that work; returns how many. */
    async end(tokenId: number, now: Seconds): Promise<number> {
      const ended = await db
        .updateTable('former_keys')
        .set({ ends_at: now })
        .where('token_id', '=', tokenId)
        .where('ends_at', '>', now)
        .returning(sql<number>`1`.as('ended'))
        .execute()
      return ended.length
    },
  }
}

declare module '../schema/tables.ts' {
  interface Tables {
    former_keys: RowOf<typeof formerKeyTable>
  }
}

export type FormerKeyRepository = ReturnType<typeof createFormerKeyRepository>
