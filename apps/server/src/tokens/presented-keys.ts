/** Keys of one generation that are remembered. */
const defaultLimit = 10_000

/**
 * `hash`, remembered for keys that come again: hashing costs as much as the rest of admission. Two generations bound
 * what is kept, so that guessed keys cost memory no more than real ones; nothing of it is ever written anywhere.
 */
export function rememberHashes(hash: (key: string) => string, limit = defaultLimit): (key: string) => string {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  return (key) => {
    const known = young.get(key)
    if (known !== undefined) return known
    const hashed = old.get(key) ?? hash(key)
    if (young.size >= limit) {
      old = young
      young = new Map()
    }
    young.set(key, hashed)
    return hashed
  }
}
