import type { Vault } from '../../lib/crypto.ts'
import type { TokenFilter } from '../../store/accounts/tokens.ts'

/** Characters of a masked key that consoles show at either end. */
const visible = 4

const keyForm = /^[0-9A-Za-z]{48}$/
const endForm = /^[0-9A-Za-z]{0,4}$/
/** Marks by which consoles replace the hidden part. */
const mask = /[*.…]+/

/** The parts of a key that can be searched; the rest is stored as a hash alone. */
export function keyEndsOf(key: string): { readonly keyHead: string; readonly keyTail: string } {
  return { keyHead: key.slice(0, visible), keyTail: key.slice(-visible) }
}

/**
 * Returns the keys that a search text matches: one by its full text, with or without `sk-`, or all that look so when
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
  // Text after a prefix is the start of a key; text without one may be either end.
  return { keyEnds: trimmed === bare ? { head, tail: head, or: true } : { head, tail: '' } }
}
