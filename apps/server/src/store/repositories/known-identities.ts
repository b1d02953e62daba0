import type { Connection } from '../database.ts'
import type { Seconds } from '../units.ts'

export function createKnownIdentityRepository({ db }: Connection) {
  return {
    /** Notes these hashes; answers how many of them were not there. Of two at once, one has noted a hash. */
    async note(hashes: readonly string[], at: Seconds): Promise<number> {
      if (hashes.length === 0) return 0
      // In one order, so that two who note the same do not wait for each other.
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

/** Hashes of identities and inboxes that had an account once. Nothing takes them out again. */
export type KnownIdentityRepository = ReturnType<typeof createKnownIdentityRepository>

declare module '../schema/tables.ts' {
  interface Tables {
    known_identities: { hash: string; created_at: number }
  }
}
