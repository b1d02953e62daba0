import { LRUCache } from 'lru-cache'
import type { Vault } from '../../lib/crypto.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Store } from '../../store/store.ts'
import type { DirectoryUser, UserDirectory } from '../user-directory.ts'

/** System access tokens: one per user, for programs that use the console's calls. Stored as a keyed hash. */
export interface AccessTokens {
  /** Whose token it is, with role and status as of now. */
  find(token: string): Promise<DirectoryUser | undefined>
  /** A new token for the user, in place of the one before. Only its hash is kept. */
  replace(userId: number): Promise<string>
}

interface Dependencies {
  readonly store: { readonly users: Pick<Store['users'], 'findByAccessTokenHash' | 'update'> }
  readonly users: UserDirectory
  readonly events: ChangeBus
  readonly vault: Pick<Vault, 'hash'>
}

const maximumRemembered = 10_000
const maximumLength = 256
const tokenLength = 32

export function createAccessTokens({ store, users, events, vault }: Dependencies): AccessTokens {
  const ownerIds = new LRUCache<string, number>({ max: maximumRemembered })

  /** Checks the directory's current hash: a token that was replaced is no longer the user's. */
  async function ownerBy(hash: string, userId: number): Promise<DirectoryUser | undefined> {
    const user = await users.find(userId)
    return user?.accessTokenHash === hash ? user : undefined
  }

  return {
    async find(token) {
      if (token === '' || token.length > maximumLength) return undefined
      const hash = vault.hash(token)
      const remembered = ownerIds.get(hash)
      if (remembered !== undefined) return ownerBy(hash, remembered)
      const row = await store.users.findByAccessTokenHash(hash)
      if (row === undefined) return undefined
      ownerIds.set(hash, row.id)
      return ownerBy(hash, row.id)
    },
    async replace(userId) {
      const token = randomAlphanumerics(tokenLength)
      await store.users.update(userId, { accessTokenHash: vault.hash(token) })
      events.publish('user-changed', { id: userId })
      return token
    },
  }
}
