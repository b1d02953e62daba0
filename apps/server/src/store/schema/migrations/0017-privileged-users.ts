/** Finds administrators at once: no new name may look like theirs. */
export function privilegedUsers(): string[] {
  return ['create index users_privileged on users (id, username) where role >= 10']
}
