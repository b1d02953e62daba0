import { type Clock, unixSeconds } from '@tollgate/base'
import { sha256, type Vault } from '../lib/crypto.ts'
import type { Store } from '../store/store.ts'

const challengeLifetimeSeconds = 300

const purpose = 'passkey-challenge'

/** What devices are asked to sign, each once and for the one who was asked. */
export interface PasskeyChallenges {
  /**
   * @param holder who has to come back with it: a user, or a secret of the browser
   * @param userId the user, where it is known who that is
   */
  put(challenge: string, holder: string, userId?: number): Promise<void>
  /** Whether it was put for this holder, and is still good; afterwards it is not. */
  take(challenge: string, holder: string): Promise<boolean>
}

interface Dependencies {
  readonly store: Pick<Store, 'oneTimeSecrets'>
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
}

export function createPasskeyChallenges({ store, vault, clock }: Dependencies): PasskeyChallenges {
  const { oneTimeSecrets } = store
  return {
    async put(challenge, holder, userId = 0) {
      const createdAt = unixSeconds(clock)
      await oneTimeSecrets.put({
        purpose,
        userId,
        subject: sha256(challenge),
        secretHash: vault.hash(holder),
        data: '',
        createdAt,
        expiresAt: createdAt + challengeLifetimeSeconds,
      })
    },
    async take(challenge, holder) {
      const now = unixSeconds(clock)
      const taken = await oneTimeSecrets.take(purpose, sha256(challenge), vault.hash(holder), now)
      return taken !== undefined
    },
  }
}
