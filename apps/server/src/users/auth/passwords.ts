/** Hashing and checking of passwords. Runs on Bun's own threads, never on the event loop. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Takes the same time for a wrong password as for a user who does not exist or has no password: pass an empty
   * hash for those. Never throws.
   */
  verify(password: string, hash: string): Promise<boolean>
  /** Whether the hash is of an older kind (bcrypt of imported users) and should be replaced at the next login. */
  isOutdated(hash: string): boolean
}

/** OWASP's first choice for argon2id: 19 MiB, two passes. More memory would let a burst of logins push streams out. */
const argon2id = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const
const argon2idPrefix = '$argon2id$'

export function createPasswords(): Passwords {
  const hash = (password: string) => Bun.password.hash(password, argon2id)
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
    async verify(password, stored) {
      if (stored !== '') return matches(password, stored)
      decoy ??= hash(crypto.randomUUID())
      await matches(password, await decoy)
      return false
    },
    isOutdated: (stored) => stored !== '' && !stored.startsWith(argon2idPrefix),
  }
}
