import type { Seconds } from './entities.ts'

/** Hashes of identities and inboxes that had an account once. Nothing takes them out again. */
export interface KnownIdentityRepository {
  /** Notes these hashes; answers how many of them were not there. Of two at once, one has noted a hash. */
  note(hashes: readonly string[], at: Seconds): Promise<number>
  /** Users from before identities were noted, whose own are still to be. */
  listUsersWithoutHashes(limit: number): Promise<number[]>
  /** Theirs are noted now. */
  markNoted(userIds: readonly number[]): Promise<void>
}
