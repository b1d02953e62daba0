import type { RateLimits, TokenSwitch } from '@tollgate/api'
import { createBatchLoader } from '../../lib/async/batch-loader.ts'
import { createReadThroughCache } from '../../lib/async/read-through-cache.ts'
import type { Vault } from '../../lib/crypto.ts'
import { createAddressMatcher, parseAddressRange } from '../../lib/outbound/addresses.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import type { Store } from '../../store/store.ts'
import type { Seconds } from '../../store/units.ts'
import { hashOfHashedKey } from './hashed-key.ts'
import { keyEndsOf } from './key-ends.ts'
import { addressesOf } from './token-rules.ts'

/** An API key as every call needs it, compiled once per change. */
export interface DirectoryToken extends RateLimits {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly status: TokenSwitch
  /** Switched off by an administrator or a secret scanner. */
  readonly isFrozen: boolean
  /** `null` means never. */
  readonly expiresAt: Seconds | null
  readonly unlimited: boolean
  /** `null` when every model is allowed. */
  readonly modelLimits: ReadonlySet<string> | null
  /** `null` when every address is allowed. */
  readonly allowedAddresses: { allows(address: string): boolean } | null
  /** Empty means the owner's group. */
  readonly group: string
}

/** Finds tokens by the keys that callers present. Stores only hashes of keys. */
export interface TokenDirectory {
  /** Returns the token from memory alone: `null` when there is none, `undefined` when memory does not know. */
  peek(key: string): DirectoryToken | null | undefined
  /** A token that is not deleted. Rejects when the database does not respond. */
  find(key: string): Promise<DirectoryToken | undefined>
}

interface Dependencies {
  readonly store: {
    readonly tokens: Pick<Store['tokens'], 'listByKeyHashes' | 'adoptKey' | 'find'>
    readonly formerKeys: Pick<Store['formerKeys'], 'listWorking'>
  }
  readonly nowSeconds: () => Seconds
  readonly events: ChangeBus
  readonly vault: Pick<Vault, 'hash' | 'seal'>
}

const maxTokens = 200_000
const maxFormer = 20_000
const absentMs = 5_000

/** A token by a key that a rotation replaced. */
interface FormerEntry {
  readonly token: DirectoryToken
  readonly endsAt: Seconds
}

/**
 * A bounded cache of tokens by the hash of their key, and one of those that a replaced key still opens. The 'token-changed' event
 * drops the entries of a token.
 */
export function createTokenDirectory({ store, events, vault, nowSeconds }: Dependencies): TokenDirectory {
  const read = createBatchLoader((keyHashes: readonly string[]) => store.tokens.listByKeyHashes(keyHashes))

  /** One look-up for both hashes. A key that came as a hash is known as a whole from its first use on. */
  async function load(key: string, keyHash: string): Promise<DirectoryToken | undefined> {
    const formerHash = hashOfHashedKey(key)
    const [own, hashed] = await Promise.all([read(keyHash), read(formerHash)])
    if (own === undefined && hashed !== undefined)
      await store.tokens.adoptKey(hashed.id, formerHash, {
        keyHash,
        keySealed: vault.seal(key, sealContexts.tokenKey(keyHash)),
        ...keyEndsOf(key),
      })
    return compiled(own ?? hashed)
  }

  const cache = createReadThroughCache<string, DirectoryToken>({
    load: async (keyHash) => compiled(await read(keyHash)),
    max: maxTokens,
    absentMs,
  })
  const readFormer = createBatchLoader((keyHashes: readonly string[]) =>
    store.formerKeys.listWorking(keyHashes, nowSeconds()),
  )

  async function loadFormer(key: string, keyHash: string): Promise<FormerEntry | undefined> {
    const [own, hashed] = await Promise.all([readFormer(keyHash), readFormer(hashOfHashedKey(key))])
    const former = own ?? hashed
    const token = former && compiled(await store.tokens.find(former.tokenId))
    return former && token && { token, endsAt: former.endsAt }
  }

  const former = createReadThroughCache<string, FormerEntry>({
    load: async () => undefined,
    max: maxFormer,
    absentMs,
  })
  const working = ({ token, endsAt }: FormerEntry) => (endsAt > nowSeconds() ? token : undefined)

  events.subscribe('token-changed', ({ id, keyHash }) => {
    cache.drop(keyHash)
    former.drop(keyHash)
    former.dropWhere(({ token }) => token.id === id)
  })
  events.subscribe('everything-changed', () => {
    cache.clear()
    former.clear()
  })
  return {
    peek(key) {
      const keyHash = vault.hash(key)
      const token = cache.peek(keyHash)
      if (token) return token
      const replaced = former.peek(keyHash)
      if (replaced) return working(replaced) ?? null
      return token === null && replaced === null ? null : undefined
    },
    async find(key) {
      const keyHash = vault.hash(key)
      const token = await cache.find(keyHash, () => load(key, keyHash))
      if (token !== undefined) return token
      const replaced = await former.find(keyHash, () => loadFormer(key, keyHash))
      return replaced && working(replaced)
    },
  }
}

function compiled(token: Token | undefined): DirectoryToken | undefined {
  if (token === undefined || token.deletedAt !== null) return undefined
  const { id, userId, name, status, expiresAt, group } = token
  const { requestsPerMinute, tokensPerMinute, concurrency } = token
  return {
    id,
    userId,
    name,
    status,
    isFrozen: token.frozenAt !== null,
    expiresAt,
    unlimited: token.unlimitedQuota,
    modelLimits: token.modelLimitsEnabled ? new Set(token.modelLimits) : null,
    allowedAddresses: compiledAddresses(token.allowIps),
    group,
    requestsPerMinute,
    tokensPerMinute,
    concurrency,
  }
}

/** An unreadable line (of an imported token) allows nothing, so a list without a readable line closes the key. */
function compiledAddresses(allowIps: string): DirectoryToken['allowedAddresses'] {
  const lines = addressesOf(allowIps)
  if (lines.length === 0) return null
  return { allows: createAddressMatcher(lines.flatMap((line) => parseAddressRange(line) ?? [])) }
}
