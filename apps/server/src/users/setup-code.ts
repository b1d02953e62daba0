import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * Proves that somebody can read what this process prints, and so may become the first administrator. Held in memory alone: each
 * process has its own, which is worth nothing once the system is set up.
 */
export interface SetupCode {
  /** `XXXX-XXXX-XXXX`: sixty bits. */
  readonly text: string
  /** @throws Refusal `setup_code_wrong` */
  check(given: string): void
}

/** Crockford's base 32: no letter is taken for a digit or another letter. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const codeLength = 12

export function createSetupCode(): SetupCode {
  const code = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  const hash = Buffer.from(sha256(code))
  return {
    text: code.replace(/.{4}(?=.)/g, '$&-'),
    check(given) {
      if (!timingSafeEqual(hash, Buffer.from(sha256(asPrinted(given))))) throw new Refusal('setup_code_wrong')
    },
  }
}

/** However it was typed. */
function asPrinted(given: string): string {
  return given.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
}
