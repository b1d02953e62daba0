import type { RefusalCode } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { sha256 } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { CredentialState, VerifiedAccount } from '../../../store/accounts/verified-account.ts'
import type { Store } from '../../../store/store.ts'
import { activeUser } from '../stored-users.ts'

/** A logged-in user who changes how their account is opened: the account as of the start of the call, and its session. */
export interface AccountOwner {
  readonly user: User
  /** The value of its cookie. */
  readonly sessionId: string | undefined
}

/** A session's row in the store. */
export const sessionHash = sha256

type Write<Result> = (tx: Store, account: VerifiedAccount) => Promise<Result>

/**
 * The one way to write what opens an account. A proof takes time (a hash, a device, a provider); meanwhile the password may
 * be replaced, the account be disabled, all sessions be ended. So each write happens in a transaction that has locked the
 * account and found its credentials as the proof was checked against them.
 */
export function createCredentials({ store, clock }: Pick<Services, 'store' | 'clock'>) {
  /**
   * Writes after a proof that was checked against `verified`.
   * @throws Refusal `refusal` when the account is not in that state any more
   */
  function write<Result>(
    verified: CredentialState,
    work: Write<Result>,
    refusal: RefusalCode = 'credentials_changed',
  ): Promise<Result> {
    return store.transaction(async (tx) => {
      const account = await tx.users.lockVerified(verified)
      if (account === undefined) throw new Refusal(refusal)
      return work(tx, account)
    })
  }

  async function refuseEnded(tx: Store, { user, sessionId }: AccountOwner): Promise<void> {
    if (sessionId === undefined) throw new Refusal('session_required')
    const session = await tx.sessions.find(sessionHash(sessionId), unixSeconds(clock))
    if (session?.userId !== user.id) throw new Refusal('not_logged_in')
  }

  return {
    write,
    /** Writes for a logged-in user. Refuses as `write` does, and once the session has ended. */
    writeOwn: <Result>(owner: AccountOwner, work: Write<Result>): Promise<Result> =>
      write(owner.user, async (tx, account) => {
        await refuseEnded(tx, owner)
        return work(tx, account)
      }),
    /**
     * Takes a way in away for a logged-in user, whatever else of the account changed meanwhile: it opens nothing. Gives `work` the
     * account as it is now, locked. Refuses once the session has ended.
     */
    withdrawOwn: <Result>(owner: AccountOwner, work: (tx: Store, user: User) => Promise<Result>) =>
      store.transaction(async (tx) => {
        const user = activeUser(await tx.users.lock(owner.user.id), 'not_logged_in')
        await refuseEnded(tx, owner)
        return work(tx, user)
      }),
  }
}

export type Credentials = ReturnType<typeof createCredentials>
