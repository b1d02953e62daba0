import type { Connection } from '../database.ts'
import type { Seconds } from '../units.ts'

export function createKnownIdentityRepository({ db }: Connection) {
  return {
    /** Stores these hashes; returns how many of them are new. Of two concurrent calls, one stores a hash. */
    async note(hashes: readonly string[], at: Seconds): Promise<number> {
      if (hashes.length === 0) return 0
      // In one order, so that two calls with the same hashes do not deadlock.
      const rows = hashes.toSorted().map((hash) => ({ hash, created_at: at }))
      const added = db.insertInto('known_identities').values(rows)
      return (
        await added
          .onConflict((known) => known.column('hash').doNothing())
          .returning('hash')
          .execute()
      ).length
    },
  }
}

/** Hashes of identities and inboxes that once had an account. They are never removed. */
export type KnownIdentityRepository = ReturnType<typeof createKnownIdentityRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    known_identities: { hash: string; created_at: number }
  }
}
