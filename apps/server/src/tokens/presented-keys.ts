import { detachedCopy } from '@tollgate/base'
import type { ChangeBus } from '../store/change-events.ts'
import type { DirectoryToken, TokenDirectory } from './token-directory.ts'

/** Tokens by the keys that callers present. */
export interface PresentedKeys {
  /** At once: the token, `null` when there is none, `undefined` when memory does not know. */
  peek(key: string): DirectoryToken | null | undefined
  /** Rejects when the database does not answer. */
  find(key: string): Promise<DirectoryToken | undefined>
}

interface Dependencies {
  readonly directory: TokenDirectory
  readonly hash: (key: string) => string
  readonly events: Pick<ChangeBus, 'subscribe'>
  /** Keys of tokens that are remembered. */
  readonly maximum?: number
  /** Hashes of one generation, of whatever was presented. */
  readonly maximumHashes?: number
}

/**
 * Finds tokens by presented keys. Keys that come again are found by themselves: hashing one costs as much as the rest of
 * admission, and with thousands of keys in use so does every place of memory that a call comes to first. Bounded, and
 * guessed keys cannot push real ones out; nothing of it is ever written anywhere.
 */
export function createPresentedKeys({
  directory,
  hash,
  events,
  maximum = 200_000,
  maximumHashes = 10_000,
}: Dependencies): PresentedKeys {
  /** As the directory has them: both are told of every change. */
  const tokens = new Map<string, DirectoryToken>()
  const keys = new Map<string, string>()
  const hashes = createHashMemory(hash, maximumHashes)

  // After the directory's own subscription: it has let go of the token by now, and is not asked for it in between.
  events.subscribe('token-changed', ({ keyHash }) => {
    const key = keys.get(keyHash)
    if (key === undefined) return
    keys.delete(keyHash)
    tokens.delete(key)
  })

  function remember(presented: string, keyHash: string, token: DirectoryToken): void {
    const key = detachedCopy(presented)
    if (tokens.size >= maximum) {
      tokens.clear()
      keys.clear()
    }
    tokens.set(key, token)
    keys.set(keyHash, key)
  }

  return {
    peek(key) {
      const token = tokens.get(key)
      if (token !== undefined) return token
      const keyHash = hashes.of(key)
      const found = directory.peek(keyHash)
      if (found !== undefined && found !== null) remember(key, keyHash, found)
      return found
    },
    find: (key) => directory.find(hashes.of(key)),
  }
}

/** Hashes of keys, remembered for two generations: those that are used stay while guesses come and go. */
function createHashMemory(hash: (key: string) => string, limit: number) {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  return {
    of(key: string): string {
      const known = young.get(key)
      if (known !== undefined) return known
      const found = old.get(key) ?? hash(key)
      if (young.size >= limit) {
        old = young
        young = new Map()
      }
      // The key was cut out of a request's head.
      young.set(detachedCopy(key), found)
      return found
    },
  }
}
