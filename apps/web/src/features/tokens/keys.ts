import { keyMask, keyPrefix, type Token, tokenKeyLength } from '@tollgate/api'

const fullKey = new RegExp(`^(${keyPrefix})?[0-9A-Za-z]{${tokenKeyLength}}$`)

/** The key as programs send it; the wire carries it without its prefix. */
export function visibleKey({ key }: Pick<Token, 'key'>): string {
  return keyPrefix + key
}

/** Decides whether the server keeps the middle of the key back. */
export function isMasked({ key }: Pick<Token, 'key'>): boolean {
  return key.includes(keyMask)
}

/** Enough of a key to tell it from others, and too little to use it. */
export function maskedKey({ key }: Pick<Token, 'key'>): string {
  return `${keyPrefix}${key.slice(0, 4)}…${key.slice(-4)}`
}

/** One line per key, for a person's own list: name, four spaces, key. */
export function keyLines(tokens: readonly Pick<Token, 'name' | 'key'>[]): string {
  return tokens.map((token) => `${token.name}    ${visibleKey(token)}`).join('\n')
}

/** Terms of the search box: the server finds keys by part of a name or by the whole key. */
export interface TokenSearchTerms {
  readonly keyword?: string | undefined
  readonly token?: string | undefined
}

export function searchTermsOf(text: string): TokenSearchTerms {
  const typed = text.trim()
  if (typed === '') return {}
  return fullKey.test(typed) ? { token: typed } : { keyword: typed }
}

/** Someone pasted part of a key, which finds nothing: keys are stored as hashes. */
export function looksLikePartOfKey(text: string): boolean {
  return text.startsWith(keyPrefix) && !fullKey.test(text)
}
