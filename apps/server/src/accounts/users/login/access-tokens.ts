import {
  type AccessTokenBody,
  type AccessTokenScope,
  accessTokenResource,
  maxAccessTokens,
} from '@tollgate/api'
import { type Clock, monotonicClock, unixSeconds } from '@tollgate/base'
import { createReadThroughCache } from '../../../lib/async/read-through-cache.ts'
import { randomAlphanumerics } from '../../../lib/random.ts'
import { Refusal, refuseLimit } from '../../../lib/refusal.ts'
import type { Services } from '../../../services.ts'
import type { AccessToken } from '../../../store/accounts/access-tokens.ts'
import type { Store } from '../../../store/store.ts'
import { refuseBeyond } from '../owned-rows.ts'
import type { DirectoryUser, UserDirectory } from '../user-directory.ts'
import type { AccountOwner, Credentials } from './credentials.ts'
import { createSightings } from './sightings.ts'

interface Dependencies extends Pick<Services, 'store' | 'bus' | 'vault' | 'clock' | 'logger'> {
  readonly users: UserDirectory
  readonly credentials: Pick<Credentials, 'writeOwn'>
  /** Clock for the age of cached tokens. */
  readonly monotonic?: Clock
}

const maxCached = 10_000
/** Time for which a cached token is used without another read. */
const believedMs = 30_000
const maxLength = 256
const tokenLength = 32
/** Name of the one that a user can replace without naming it. */
const unnamed = ''

/** Fields of a new token that its owner says. */
type AccessTokenFields = ReturnType<typeof accessTokenResource.fromCreateBody>

/** A token's owner, with their current role and status, and what the token may do. */
export interface TokenOwner {
  readonly user: DirectoryUser
  readonly scope: AccessTokenScope
}

/** Access tokens: for programs that use the console's calls. Stored as keyed hashes. */
export function createAccessTokens(deps: Dependencies) {
  const { store, users, credentials, bus, vault, clock, monotonic = monotonicClock } = deps
  const cache = createReadThroughCache<string, AccessToken>({
    load: (hash) => store.accessTokens.findByHash(hash),
    max: maxCached,
    absentMs: believedMs,
    presentMs: believedMs,
    clock: monotonic,
  })
  // A new password, a removed token, a ban: cached tokens are older.
  bus.subscribe('user-changed', ({ id }) => cache.dropWhere(({ userId }) => userId === id))
  bus.subscribe('everything-changed', () => cache.clear())
  const noteUse = createSightings({
    ...deps,
    name: 'an access token',
    write: (hash, at) => store.accessTokens.touch(hash, at),
  })

  /** @param before runs first in the same transaction */
  async function add(
    owner: AccountOwner,
    token: AccessTokenFields,
    before?: (tx: Store, userId: number) => Promise<void>,
  ) {
    const secret = randomAlphanumerics(tokenLength)
    const hash = vault.hash(secret)
    const now = unixSeconds(clock)
    const row = { ...token, hash, createdAt: now, lastUsedAt: 0 }
    const created = await credentials.writeOwn(owner, async (tx, account) => {
      await before?.(tx, account.id)
      await refuseBeyond(tx, account.id, { kind: 'accessToken', max: maxAccessTokens, now })
      return tx.accessTokens.create(account, row)
    })
    cache.drop(hash)
    return { created, secret }
  }

  return {
    /** `undefined` for a token that is unknown, expired or removed. */
    async find(secret: string): Promise<TokenOwner | undefined> {
      if (secret === '' || secret.length > maxLength) return undefined
      const token = await cache.find(vault.hash(secret))
      if (token === undefined || isExpired(token, unixSeconds(clock))) return undefined
      const user = await users.find(token.userId)
      if (user === undefined) return undefined
      noteUse(token.hash, token.lastUsedAt)
      return { user, scope: token.scope }
    },
    /** Newest first, expired ones included. */
    listOwn: (userId: number): Promise<AccessToken[]> => store.accessTokens.listOwn(userId),
    /** The secret is shown once. Refuses an empty name, a time in the past, and more tokens than a user may have. */
    async create(owner: AccountOwner, body: AccessTokenBody) {
      const token = accessTokenResource.fromCreateBody(body, refuseLimit)
      if (isExpired(token, unixSeconds(clock))) throw new Refusal('access_token_expiry_past')
      return add(owner, token)
    },
    /** Removes one of the user's tokens: here at once, on other nodes with the event. Refuses an unknown id. */
    async remove(userId: number, id: number): Promise<void> {
      if (!(await store.accessTokens.deleteOwn(userId, id))) throw new Refusal('record_not_found')
      bus.publish('user-changed', { id: userId })
    },
    /** A new token without a name, in place of the one before. */
    async replace(owner: AccountOwner): Promise<string> {
      const token = { ...accessTokenResource.defaults, name: unnamed }
      const { secret } = await add(owner, token, async (tx, userId) => {
        await tx.accessTokens.deleteNamed(userId, unnamed)
        // An older program that runs beside this one reads the column.
        await tx.users.update(userId, { accessTokenHash: '' })
      })
      bus.publish('user-changed', { id: owner.user.id })
      return secret
    },
    /** Housekeeping: forgets tokens that can no longer be used. */
    deleteExpired: (): Promise<void> => store.accessTokens.deleteExpired(unixSeconds(clock)),
  }
}

function isExpired({ expiresAt }: Pick<AccessToken, 'expiresAt'>, now: number): boolean {
  return expiresAt !== 0 && expiresAt <= now
}

export type AccessTokens = ReturnType<typeof createAccessTokens>
