import type { Store } from '../../store/store.ts'

/**
 * Why what opens an account ends:
 * - `password-changed`: by its owner, in a session that goes on,
 * - `password-replaced`: by a mailed link or an administrator; the holders of the sessions are unknown,
 * - `banned` and `closed`: the account admits no one any more.
 */
export type RevocationScope = 'password-changed' | 'password-replaced' | 'banned' | 'closed'

interface Revocation {
  /** With them, the proofs that they remember. */
  readonly sessions: 'all' | 'others'
  /** What waits for a second step: log-ins, mailed links and codes, a second factor that is being set up. */
  readonly pendingSecrets: boolean
  readonly accessToken: boolean
}

const everything = { sessions: 'all', pendingSecrets: true, accessToken: true } as const

/** What ends, by why. Demotion is not here: every call looks at the role as it is. */
const revocations: Readonly<Record<RevocationScope, Revocation>> = {
  'password-changed': { ...everything, sessions: 'others' },
  'password-replaced': everything,
  banned: everything,
  closed: everything,
}

/**
 * Ends what opens these accounts. The caller publishes `user-changed` after the commit, so that what is held in memory goes
 * too: sessions, access tokens, and by the state of the user their API keys and realtime sessions.
 * @param tx the transaction of the change itself
 * @param keptSession hash of the session that goes on, where the scope leaves one
 */
export async function revokeCredentials(
  tx: Pick<Store, 'users' | 'sessions' | 'oneTimeSecrets'>,
  userIds: readonly number[],
  scope: RevocationScope,
  keptSession?: string,
): Promise<void> {
  const { sessions, pendingSecrets, accessToken } = revocations[scope]
  const kept = sessions === 'others' ? keptSession : undefined
  if (kept === undefined) await tx.sessions.deleteOfUsers(userIds)
  else for (const id of userIds) await tx.sessions.deleteOfUser(id, kept)
  if (pendingSecrets) await tx.oneTimeSecrets.deleteOfUsers(userIds)
  if (accessToken) for (const id of userIds) await tx.users.update(id, { accessTokenHash: '' })
}
