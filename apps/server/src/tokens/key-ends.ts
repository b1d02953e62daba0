import type { Vault } from '../lib/crypto.ts'
import type { TokenFilter } from '../store/repositories/tokens.ts'

/** Characters of a masked key that consoles show at either end. */
const visible = 4

const keyForm = /^[0-9A-Za-z]{48}$/
const endForm = /^[0-9A-Za-z]{0,4}$/
/** What consoles put in the place of the hidden part. */
const mask = /[*.…]+/

/** What may be searched for of a key that is otherwise kept as a hash. */
export function keyEndsOf(key: string): { readonly keyHead: string; readonly keyTail: string } {
  return { keyHead: key.slice(0, visible), keyTail: key.slice(-visible) }
}

/**
 * The keys that a search text means: one by the whole of it, with or without `sk-`, or those that look so where they are
 * masked (`abcd`, `abcd…wxyz`, `sk-abcd…wxyz`). `undefined` when no key can be meant.
 */
export function keyFilterOf(
  text: string,
  vault: Pick<Vault, 'hash'>,
): Pick<TokenFilter, 'keyHash' | 'keyEnds'> | undefined {
  const trimmed = text.trim()
  const bare = trimmed.replace(/^sk-/, '')
  if (keyForm.test(bare)) return { keyHash: vault.hash(bare) }
  const [head = '', tail, ...more] = bare.split(mask)
  if (more.length > 0 || !endForm.test(head) || !endForm.test(tail ?? '')) return undefined
  if (head === '' && (tail === undefined || tail === '')) return undefined
  if (tail !== undefined) return { keyEnds: { head, tail } }
  // What follows a prefix is a beginning; what stands alone may be either end.
  return { keyEnds: trimmed === bare ? { head, tail: head, or: true } : { head, tail: '' } }
}
