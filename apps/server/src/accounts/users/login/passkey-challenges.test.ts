import { afterAll, describe, expect, it } from 'bun:test'
import { createVault } from '../../../lib/crypto.ts'
import { closeTestStores, openTestStore } from '../test-support/test-store.ts'
import { createPasskeyChallenges } from './passkey-challenges.ts'

afterAll(closeTestStores)

async function site() {
  const clock = { ms: 1_700_000_000_000, now: () => clock.ms }
  const store = await openTestStore()
  const puts: string[] = []
  const oneTimeSecrets = {
    ...store.oneTimeSecrets,
    putNew(secret: Parameters<typeof store.oneTimeSecrets.putNew>[0]) {
      puts.push(secret.subject)
      return store.oneTimeSecrets.putNew(secret)
    },
  }
  const vault = createVault('a master key of the tests, long enough')
  const challenges = createPasskeyChallenges({ store: { ...store, oneTimeSecrets }, vault, clock })
  const issued = (holder: string) => Buffer.from(challenges.issue(holder)).toString('base64url')
  return { clock, puts, challenges, issued }
}

describe('a challenge for a passkey', () => {
  it('is not stored until it is used', async () => {
    const { puts, challenges, issued } = await site()
    const [challenge] = Array.from({ length: 1000 }, () => issued('somebody'))
    expect(puts).toEqual([])
    expect(await challenges.take(challenge ?? '', 'somebody')).toBe(true)
    expect(puts).toHaveLength(1)
  })

  it('is valid once, however it is encoded', async () => {
    const { challenges, issued } = await site()
    const challenge = issued('somebody')
    expect(await challenges.take(challenge, 'somebody')).toBe(true)
    expect(await challenges.take(challenge, 'somebody')).toBe(false)
    expect(await challenges.take(`${challenge}==`, 'somebody')).toBe(false)
    expect(await challenges.take(Buffer.from(challenge, 'base64url').toString('base64'), 'somebody')).toBe(
      false,
    )
  })

  it('is valid for its holder, unchanged, for five minutes', async () => {
    const { clock, challenges, issued } = await site()
    const challenge = issued('somebody')
    expect(await challenges.take(challenge, 'somebody else')).toBe(false)
    expect(await challenges.take(`B${challenge.slice(1)}`, 'somebody')).toBe(false)
    expect(await challenges.take('', 'somebody')).toBe(false)
    clock.ms += 300_000
    expect(await challenges.take(challenge, 'somebody')).toBe(false)
  })
})
