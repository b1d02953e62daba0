import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { defineTable, type EntityOf, integer, type RowOf, text } from '../schema/table.ts'

export const leaseTable = defineTable('leases', {
  name: text(),
  holder: text(),
  /** Wall clock, in ms. */
  expiresMs: integer(),
})
/** Work that one node does until `expiresMs`. */
export type Lease = EntityOf<typeof leaseTable>

export function createLeaseRepository({ db }: Connection) {
  return {
    /**
     * Takes a free or expired lease, or prolongs one's own. False while another node has it.
     * @param expiresMs wall clock, in ms; until then it is the holder's
     */
    async take({ name, holder, expiresMs }: Lease, nowMs: number): Promise<boolean> {
      // One statement: of two concurrent calls, the second sees the result of the first.
      const taken = await sql`
        insert into leases (name, holder, expires_ms) values (${name}, ${holder}, ${expiresMs})
        on conflict (name) do update set holder = excluded.holder, expires_ms = excluded.expires_ms
        where leases.holder = excluded.holder or leases.expires_ms <= ${nowMs}
        returning name`.execute(db)
      return taken.rows.length > 0
    },
    /** Gives one's own lease up before its time. */
    async give(name: string, holder: string): Promise<void> {
      await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
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
