import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { defineTable, integer, type RowOf, text, withDefault } from '../schema/table.ts'

export const leaseTable = defineTable('leases', {
  name: text(),
  holder: text(),
  /** Time by the database's clock, in ms. */
  expiresMs: integer(),
  /** End of the last run of the work, by the same clock; 0 when it never ran. */
  ranMs: withDefault(integer()),
})

/** Work that its holder does until the lease ends. */
export interface HeldLease {
  readonly name: string
  /** Time since anybody did the work last; `undefined` when nobody has. */
  readonly sinceRunMs: number | undefined
}

export function createLeaseRepository({ db, dialect }: Connection) {
  const now = sql.raw<number>(dialect.nowMs)
  return {
    /**
     * Takes each of these leases that nobody holds or whose time is over, and prolongs one's own; returns those that the
     * holder has now. Ends are by the database's clock, whatever the clocks of the nodes say.
     */
    async take(names: readonly string[], holder: string, ttlMs: number): Promise<HeldLease[]> {
      if (names.length === 0) return []
      // One statement: of two that come at once, the second sees what the first has written. In one order, so that they
      // do not wait for each other.
      const rows = names.toSorted().map((name) => sql`(${name}, ${holder}, ${now} + ${ttlMs})`)
      const taken = await sql<{ name: string; ran_ms: number; since_ms: number }>`
        insert into leases (name, holder, expires_ms) values ${sql.join(rows)}
        on conflict (name) do update set holder = excluded.holder, expires_ms = excluded.expires_ms
        where leases.holder = excluded.holder or leases.expires_ms <= ${now}
        returning name, ran_ms, ${now} - ran_ms as since_ms`.execute(db)
      return taken.rows.map((row) => ({
        name: row.name,
        sinceRunMs: row.ran_ms === 0 ? undefined : Math.max(0, row.since_ms),
      }))
    },
    /** Stores the time for the next holder of the lease: this one has done the work. */
    async noteRun(name: string, holder: string): Promise<void> {
      await db
        .updateTable('leases')
        .set({ ran_ms: now })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute()
    },
    /** Gives one's own leases up before their time. */
    async give(names: readonly string[], holder: string): Promise<void> {
      await db
        .updateTable('leases')
        .set({ expires_ms: 0 })
        .where(dialect.isOneOf('name', names))
        .where('holder', '=', holder)
        .execute()
    },
  }
}

/** Work that one node at a time does. */
export type LeaseRepository = ReturnType<typeof createLeaseRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    leases: RowOf<typeof leaseTable>
  }
}
