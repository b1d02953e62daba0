import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { LeaseRepository } from '../lease-repository.ts'

export function createLeaseRepository({ db }: Connection): LeaseRepository {
  return {
    async take({ name, holder, expiresMs }, nowMs) {
      // One statement: of two that come at once, the second sees what the first has written.
      const taken = await sql`
        insert into leases (name, holder, expires_ms) values (${name}, ${holder}, ${expiresMs})
        on conflict (name) do update set holder = excluded.holder, expires_ms = excluded.expires_ms
        where leases.holder = excluded.holder or leases.expires_ms <= ${nowMs}
        returning name`.execute(db)
      return taken.rows.length > 0
    },
    async give(name, holder) {
      await db.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute()
    },
  }
}
