import type { Vault } from '../../lib/crypto.ts'
import { randomAlphanumerics } from '../../lib/random.ts'

const codes = 10
/** Half of a code: ten characters of 36 are more than fifty bits. */
const half = 5

/** `xxxxx-xxxxx`, in lower case, because people type them from paper. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: codes }, () => `${lowerCase()}-${lowerCase()}`)
}

function lowerCase(): string {
  return randomAlphanumerics(half).toLowerCase()
}

/** However it was typed. */
export function recoveryCodeHash(vault: Pick<Vault, 'hash'>, userId: number, code: string): string {
  return vault.hash(`recovery ${userId} ${code.replace(/[\s-]/g, '').toLowerCase()}`)
}
