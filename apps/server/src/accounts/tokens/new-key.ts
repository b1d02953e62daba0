import type { Vault } from '../../lib/crypto.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { keyEndsOf } from './key-ends.ts'

/** Returns the stored forms of a key's text: what finds it, what opens it for its owner, and its visible ends. */
export function newKey(
  key: string,
  vault: Pick<Vault, 'hash' | 'seal'>,
): Pick<Token, 'keyHash' | 'keySealed' | 'keyHead' | 'keyTail'> {
  const keyHash = vault.hash(key)
  return { keyHash, keySealed: vault.seal(key, sealContexts.tokenKey(keyHash)), ...keyEndsOf(key) }
}
