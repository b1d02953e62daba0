import { displayNameMaxLength, passwordMaxLength, passwordMinLength, usernameMaxLength } from '@tollgate/api'
import { Refusal } from '../../../lib/refusal.ts'
import { readMailAddress } from '../../mail/mail-address.ts'

/** OWASP's first choice for argon2id: 19 MiB, two passes. More memory would let a burst of logins push streams out. */
const recommendedCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }
const argon2idPrefix = '$argon2id$'

/** The cost of a hash by argon2id: KiB of memory, and passes over it. */
interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
}

/** Hashing and checking of passwords. Runs on Bun's own threads, never on the event loop. */
export function createPasswords(cost = recommendedCost) {
  const hash = (password: string) => Bun.password.hash(password, { algorithm: 'argon2id', ...cost })
  let decoy: Promise<string> | undefined

  async function matches(password: string, stored: string): Promise<boolean> {
    try {
      return await Bun.password.verify(password, stored)
    } catch {
      // Bun throws on empty passwords and on hashes it cannot read: neither opens anything.
      return false
    }
  }

  return {
    hash,
    /**
     * Takes the same time for a wrong password as for a user who does not exist or has no password: pass an empty
     * hash for those. Never throws.
     */
    async verify(password: string, stored: string): Promise<boolean> {
      if (stored !== '') return matches(password, stored)
      decoy ??= hash(crypto.randomUUID())
      await matches(password, await decoy)
      return false
    },
    /** Recognises a hash of an older kind (bcrypt of imported users), to be replaced at the next login. */
    isOutdated: (stored: string): boolean => stored !== '' && !stored.startsWith(argon2idPrefix),
  }
}

export type Passwords = ReturnType<typeof createPasswords>

/** Controls, formats, line ends and broken halves: two names that look alike could differ by them. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** Refuses an invalid username, also one that an administrator chose. */
export function refuseBadUsername(username: string): void {
  const length = lengthOf(username)
  const isGood =
    length >= 1 && length <= usernameMaxLength && username === username.trim() && !unseen.test(username)
  if (!isGood) throw new Refusal('username_invalid', { max: usernameMaxLength })
}

/**
 * Refuses an address as the name of a user who has not proven it: a stranger's address as a name would lock its owner
 * out of a login with it.
 */
export function refuseForeignAddress(username: string, ownEmail: string): void {
  const address = readMailAddress(username)
  if (address !== undefined && address.toLowerCase() !== ownEmail.toLowerCase())
    throw new Refusal('username_is_address')
}

export function refuseBadPassword(password: string): void {
  const length = lengthOf(password)
  if (length < passwordMinLength) throw new Refusal('password_short', { min: passwordMinLength })
  if (length > passwordMaxLength) throw new Refusal('password_too_long', { max: passwordMaxLength })
}

export function refuseBadDisplayName(displayName: string): void {
  if (lengthOf(displayName) > displayNameMaxLength || unseen.test(displayName))
    throw new Refusal('display_name_invalid', { max: displayNameMaxLength })
}

/** Characters as people count them, more or less: not bytes, and not halves of surrogate pairs. */
function lengthOf(text: string): number {
  return [...text].length
}
