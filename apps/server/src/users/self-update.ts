import type { SelfUpdateBody } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import type { ChangeBus } from '../store/change-events.ts'
import { DuplicateError } from '../store/errors.ts'
import type { User } from '../store/repositories/users.ts'
import type { Store } from '../store/store.ts'
import type { AttemptLimiter } from './auth/attempt-limiter.ts'
import {
  refuseBadDisplayName,
  refuseBadPassword,
  refuseBadUsername,
  refuseForeignAddress,
} from './auth/credential-rules.ts'
import type { Passwords } from './auth/passwords.ts'
import { revokeCredentials } from './auth/revoke-credentials.ts'
import { sessionHash } from './auth/sessions.ts'

interface Dependencies {
  readonly store: Store
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>
  readonly tries: AttemptLimiter
  readonly bus: ChangeBus
}

/**
 * Changes one's own name, display name and password; what is empty stays. A new password ends what else opens the
 * account. The one before is verified where it is given; without it the edge has asked for a recent proof.
 * @param sessionId of the session that asks, which goes on
 */
export function createSelfUpdate({ store, passwords, tries, bus }: Dependencies) {
  function verifyOriginal(user: User, password: string): Promise<void> {
    return tries.counted({ kind: 'password', account: user.id }, async () => {
      if (!(await passwords.verify(password, user.passwordHash))) throw new Refusal('original_password_wrong')
    })
  }

  async function newPasswordHash(
    user: User,
    { password, original_password }: SelfUpdateBody,
  ): Promise<string> {
    refuseBadPassword(password)
    if (original_password !== '') await verifyOriginal(user, original_password)
    return passwords.hash(password)
  }

  return async (user: User, body: SelfUpdateBody, sessionId: string | undefined): Promise<void> => {
    const names = newNames(user, body)
    const passwordHash = body.password === '' ? undefined : await newPasswordHash(user, body)
    try {
      await store.transaction(async (tx) => {
        await tx.users.update(user.id, { ...names, ...(passwordHash !== undefined && { passwordHash }) })
        if (passwordHash !== undefined)
          await revokeCredentials(tx, [user.id], 'password-changed', sessionId && sessionHash(sessionId))
      })
    } catch (error) {
      throw error instanceof DuplicateError ? new Refusal('username_taken', {}, { cause: error }) : error
    }
    bus.publish('user-changed', { id: user.id })
  }
}

/** What a form sends back unchanged is not looked at: older names need not follow the rules of today. */
function newNames(user: User, { username, display_name: displayName }: SelfUpdateBody): Partial<User> {
  const isRenamed = username !== '' && username !== user.username
  const isRetitled = displayName.trim() !== '' && displayName !== user.displayName
  if (isRenamed) {
    refuseBadUsername(username)
    refuseForeignAddress(username, user.email)
  }
  if (isRetitled) refuseBadDisplayName(displayName)
  return { ...(isRenamed && { username }), ...(isRetitled && { displayName }) }
}
