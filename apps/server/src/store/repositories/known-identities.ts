import type { Connection } from '../database.ts'
import type { KnownIdentityRepository } from '../known-identity-repository.ts'

export function createKnownIdentityRepository({ db, dialect }: Connection): KnownIdentityRepository {
  return {
    async note(hashes, at) {
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
    async listUsersWithoutHashes(limit) {
      const users = db.selectFrom('unnoted_users').select('user_id').orderBy('user_id').limit(limit)
      return (await users.execute()).map(({ user_id }) => user_id)
    },
    async markNoted(userIds) {
      await db.deleteFrom('unnoted_users').where(dialect.isOneOf('user_id', userIds)).execute()
    },
  }
}
