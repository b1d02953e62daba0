import type { Store } from '../../../store/store.ts'

/**
 * Reasons for which the credentials of an account end:
 * - `password-changed`: by its owner, in a session that goes on,
 * - `password-replaced`: by a mailed link or an administrator; the holders of the sessions are unknown,
 * - `banned` and `closed`: the account admits no one any more.
 */
export type RevocationScope = 'password-changed' | 'password-replaced' | 'banned' | 'closed'

interface Revocation {
  /** Sessions to end, with the proofs that they store. */
  readonly sessions: 'all' | 'others'
  /** Pending second steps: log-ins, mailed links and codes, a second factor that is being set up. */
  readonly pendingSecrets: boolean
  readonly accessTokens: boolean
}

const everything = { sessions: 'all', pendingSecrets: true, accessTokens: true } as const

/** The credentials that end, by reason. Demotion is not here: every call checks the current role. */
const revocations: Readonly<Record<RevocationScope, Revocation>> = {
  'password-changed': { ...everything, sessions: 'others' },
  'password-replaced': everything,
  banned: everything,
  closed: everything,
}

/**
 * Ends the credentials of these accounts, and the log-ins and proofs in flight. The caller publishes `user-changed` after the commit, which ends cached ones
 * too: sessions, access tokens, and by the state of the user their API keys and realtime sessions.
 * @param tx the transaction of the change itself
 * @param storedSession hash of the session that goes on, where the scope leaves one
 */
export async function revokeCredentials(
  tx: Pick<Store, 'users' | 'sessions' | 'oneTimeSecrets' | 'accessTokens'>,
  userIds: readonly number[],
  scope: RevocationScope,
  storedSession?: string,
): Promise<void> {
  const { sessions, pendingSecrets, accessTokens } = revocations[scope]
  const retained = sessions === 'others' ? storedSession : undefined
  if (retained === undefined) await tx.sessions.deleteOfUsers(userIds)
  else for (const id of userIds) await tx.sessions.deleteOfUser(id, retained)
  if (pendingSecrets) await tx.oneTimeSecrets.deleteOfUsers(userIds)
  if (!accessTokens) return
  await tx.accessTokens.deleteOfUsers(userIds)
  // An older program that runs beside this one reads the column.
  for (const id of userIds) await tx.users.update(id, { accessTokenHash: '' })
}
