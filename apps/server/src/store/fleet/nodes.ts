import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow } from '../queries.ts'
import { defineTable, type EntityOf, flag, integer, type RowOf, real, text } from '../schema/table.ts'

/** A node of the fleet, as it described itself last. On PostgreSQL alone. Times are by the database's clock, in ms. */
export const nodeTable = defineTable('nodes', {
  /** Id of its journal. */
  id: text(),
  version: text(),
  /** Address on which it listens: host and port. */
  address: text(),
  startedMs: integer(),
  seenMs: integer(),
  /** It takes no new connections and ends soon. */
  draining: flag(),
  callsPerSecond: real(),
  /** Number of the last settled call in its journal. */
  journalSeq: integer(),
  /** Number of them that the database lacks. */
  journalLag: integer(),
  /** Ids of the keys whose sealed texts it opens, with blanks in between. */
  keyIds: text(),
  /** JSON text: the calls that it has open at each channel that drains, by channel; empty for one of the version before. */
  drainingCalls: text(),
  /** The shares that it held when it fell silent were returned. */
  reclaimed: flag(),
})
const beats = nodeTable.pick([
  'id',
  'version',
  'address',
  'startedMs',
  'draining',
  'callsPerSecond',
  'journalSeq',
  'journalLag',
  'keyIds',
  'drainingCalls',
])
/** Facts that a node reports with each heartbeat. */
export type NodeBeat = EntityOf<typeof beats>

/** A node, how long it has been silent, and which jobs of the fleet it runs. */
export interface SeenNode extends EntityOf<typeof nodeTable> {
  readonly silentMs: number
  /** Accounts of whose balance it holds a part. */
  readonly shares: number
  readonly jobs: readonly string[]
}

export function createNodeRepository({ db, dialect }: Connection) {
  const now = sql.raw<number>(dialect.nowMs)
  return {
    /** The clock of the database, in ms. */
    async now(): Promise<number> {
      const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db)
      return rows[0]?.now ?? 0
    },
    /** Writes that the node lives; returns the ids of all that do, it included: those seen within `liveMs`. */
    async beat(beat: NodeBeat, liveMs: number): Promise<readonly string[]> {
      const row = { ...beats.insertion(beat), seen_ms: now, reclaimed: 0 as const }
      await db
        .insertInto('nodes')
        .values(row)
        .onConflict((known) => known.column('id').doUpdateSet(row))
        .execute()
      const live = await db
        .selectFrom('nodes')
        .select('id')
        .where('seen_ms', '>', sql<number>`${now} - ${liveMs}`)
        .execute()
      return live.map(({ id }) => id)
    },
    /** The ones that started last come first. */
    async list(): Promise<SeenNode[]> {
      const rows = await db
        .selectFrom('nodes')
        .selectAll()
        .select(sql<number>`${now} - seen_ms`.as('silent_ms'))
        .orderBy('started_ms', 'desc')
        .orderBy('id')
        .execute()
      const leases = await db
        .selectFrom('leases')
        .select(['name', 'holder'])
        .where('expires_ms', '>', now)
        .orderBy('name')
        .execute()
      const shares = await db
        .selectFrom('balance_shares')
        .select(({ fn }) => ['node', fn.countAll<number>().as('count')])
        .where('amount', '<>', 0)
        .groupBy('node')
        .execute()
      return rows.map((row) => ({
        ...nodeTable.read(row),
        silentMs: Math.max(0, row.silent_ms),
        shares: Number(shares.find(({ node }) => node === row.id)?.count ?? 0),
        jobs: leases.filter(({ holder }) => holder === row.id).map(({ name }) => name),
      }))
    },
    /** Returns the milliseconds since a node's last heartbeat; `undefined` for an unknown node. */
    async silenceOf(id: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('nodes')
        .select(sql<number>`${now} - seen_ms`.as('silent_ms'))
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.silent_ms
    },
    /** Nodes that have been silent for so long, and whose shares are not reclaimed yet. */
    async listSilent(silentMs: number): Promise<string[]> {
      const rows = await db
        .selectFrom('nodes')
        .select('id')
        .where('seen_ms', '<', sql<number>`${now} - ${silentMs}`)
        .where('reclaimed', '=', 0)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    /**
     * Marks the node as one whose shares are reclaimed; false when it was seen meanwhile. Its next heartbeat waits for the end of
     * the transaction.
     */
    markReclaimed: (id: string, silentMs: number): Promise<boolean> =>
      hasRow(
        db
          .updateTable('nodes')
          .set({ reclaimed: 1 })
          .where('id', '=', id)
          .where('seen_ms', '<', sql<number>`${now} - ${silentMs}`)
          .where('reclaimed', '=', 0)
          .returning('id'),
      ),
    /** Removes a node that has ended in good order, or whose journal was recovered. */
    async remove(id: string): Promise<void> {
      await db.deleteFrom('nodes').where('id', '=', id).execute()
    },
    /** Forgets nodes that have been silent for so long. */
    async removeSilent(silentMs: number): Promise<void> {
      await db.deleteFrom('nodes').where('seen_ms', '<', sql<number>`${now} - ${silentMs}`).execute()
    },
  }
}

/** The nodes that share the database. */
export type NodeRepository = ReturnType<typeof createNodeRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    nodes: RowOf<typeof nodeTable>
  }
}
