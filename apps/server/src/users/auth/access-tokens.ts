import { LRUCache } from 'lru-cache'
import { randomAlphanumerics } from '../../lib/random.ts'
import type { Services } from '../../services.ts'
import type { DirectoryUser, UserDirectory } from '../user-directory.ts'

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'vault'> {
  readonly users: UserDirectory
}

const maximumRemembered = 10_000
const maximumLength = 256
const tokenLength = 32

/** System access tokens: one per user, for programs that use the console's calls. Stored as a keyed hash. */
export function createAccessTokens({ store, users, bus, vault }: Dependencies) {
  const ownerIds = new LRUCache<string, number>({ max: maximumRemembered })

  /** Checks the hash in the directory, so that a replaced token is no longer valid. */
  async function ownerBy(hash: string, userId: number): Promise<DirectoryUser | undefined> {
    const user = await users.find(userId)
    return user?.accessTokenHash === hash ? user : undefined
  }

  return {
    /** The token's owner, with their current role and status. */
    async find(token: string): Promise<DirectoryUser | undefined> {
      if (token === '' || token.length > maximumLength) return undefined
      const hash = vault.hash(token)
      const remembered = ownerIds.get(hash)
      if (remembered !== undefined) return ownerBy(hash, remembered)
      const row = await store.users.findByAccessTokenHash(hash)
      if (row === undefined) return undefined
      ownerIds.set(hash, row.id)
      return ownerBy(hash, row.id)
    },
    /** A new token for the user, replacing the one before. Stores only its hash. */
    async replace(userId: number): Promise<string> {
      const token = randomAlphanumerics(tokenLength)
      await store.users.update(userId, { accessTokenHash: vault.hash(token) })
      bus.publish('user-changed', { id: userId })
      return token
    },
  }
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
