import type { DirectoryToken, TokenDirectory } from './token-directory.ts'

/** Tokens by the keys that callers present. */
export interface PresentedKeys {
  /** At once: the token, `null` when there is none, `undefined` when memory does not know. */
  peek(key: string): DirectoryToken | null | undefined
  /** Rejects when the database does not answer. */
  find(key: string): Promise<DirectoryToken | undefined>
}

/** What is remembered of a key that was presented. */
interface Presented {
  readonly hash: string
  /** As the directory had it when it had changed so many times; it may have changed since. */
  token: DirectoryToken | undefined
  changes: number
}

/** Keys of one generation that are remembered. */
const defaultLimit = 10_000

/**
 * Finds tokens by presented keys, at one place of memory for keys that come again: hashing one costs as much as the rest
 * of admission, and with thousands of keys in use so does every further look-up. Two generations bound what is kept, so
 * that guessed keys cost memory no more than real ones; nothing of it is ever written anywhere.
 */
export function createPresentedKeys(
  directory: TokenDirectory,
  hash: (key: string) => string,
  limit = defaultLimit,
): PresentedKeys {
  let young = new Map<string, Presented>()
  let old = new Map<string, Presented>()

  function presented(key: string): Presented {
    const known = young.get(key)
    if (known !== undefined) return known
    const found = old.get(key) ?? { hash: hash(key), token: undefined, changes: directory.changes }
    if (young.size >= limit) {
      old = young
      young = new Map()
    }
    young.set(key, found)
    return found
  }

  return {
    peek(key) {
      const found = presented(key)
      if (found.token !== undefined && found.changes === directory.changes) return found.token
      const token = directory.peek(found.hash)
      found.token = token ?? undefined
      found.changes = directory.changes
      return token
    },
    find: (key) => directory.find(presented(key).hash),
  }
}
