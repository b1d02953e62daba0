import { describe, expect, it } from 'bun:test'
import { createPasswords } from './passwords.ts'

const passwords = createPasswords()

describe('passwords', () => {
  it('are stored as argon2id, with a different hash each time', async () => {
    const [first, second] = await Promise.all([
      passwords.hash('correct horse'),
      passwords.hash('correct horse'),
    ])
    expect(first).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(first).not.toBe(second)
    expect(await passwords.verify('correct horse', first)).toBe(true)
    expect(await passwords.verify('wrong horse', first)).toBe(false)
  })

  it('of imported users are verified and known to be outdated', async () => {
    const bcrypt = await Bun.password.hash('correct horse', { algorithm: 'bcrypt', cost: 4 })
    expect(await passwords.verify('correct horse', bcrypt)).toBe(true)
    expect(passwords.isOutdated(bcrypt)).toBe(true)
    expect(passwords.isOutdated(await passwords.hash('correct horse'))).toBe(false)
  })

  it('never open an account without a password, or with an unreadable hash', async () => {
    for (const hash of ['', 'plain text', '$argon2id$broken']) {
      expect(await passwords.verify('plain text', hash)).toBe(false)
      expect(await passwords.verify('', hash)).toBe(false)
    }
  })
})
