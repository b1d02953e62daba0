import { afterAll, describe, expect, it } from 'bun:test'
import type { Passkey } from '@tollgate/api'
import {
  type Ceremony,
  createSoftwareAuthenticator,
} from '../../../accounts/users/test-support/software-authenticator.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { User } from '../../../store/accounts/users.ts'
import { withAccount } from '../../../store/contract/samples.ts'
import { openBrowser } from '../test-support/browser.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const here = { origin: 'https://console.example', rpId: 'console.example' }

async function site(settings: Readonly<Record<string, string>> = {}) {
  const fixture = await consoleFixture({ settings })
  const loggedIn = async ({ id }: Pick<User, 'id'>) => {
    const browser = openBrowser(fixture)
    browser.userId = id
    browser.cookies.set('__Host-session', await fixture.sessionOf({ id }))
    return browser
  }
  const ann = await fixture.createUser({ passwordHash: '$argon2id$' })
  const browser = await loggedIn(ann)
  const device = createSoftwareAuthenticator()

  async function register(change: Partial<Ceremony> = {}, name = 'Laptop') {
    const { envelope } = await browser.send('POST', '/api/user/self/passkeys/options')
    const { challenge } = envelope.data as { challenge: string }
    const credential = device.create({ challenge, ...here, ...change })
    return (await browser.send('POST', '/api/user/self/passkeys', { name, credential })).envelope
  }

  const newcomer = openBrowser(fixture)
  async function challengeHere(): Promise<string> {
    const { envelope } = await newcomer.send('POST', '/api/user/login/passkey/options')
    return (envelope.data as { challenge: string }).challenge
  }
  async function logIn(change: Partial<Ceremony> = {}) {
    const credential = device.get({ challenge: await challengeHere(), ...here, ...change })
    return (await newcomer.send('POST', '/api/user/login/passkey', { credential })).envelope
  }
  return { ...fixture, ann, browser, device, loggedIn, newcomer, challengeHere, register, logIn }
}

describe('registering a passkey', () => {
  it('asks for one that the device finds by itself and verifies its owner for', async () => {
    const { browser, ann } = await site({ SystemName: 'Our gateway' })
    const { envelope } = await browser.send('POST', '/api/user/self/passkeys/options')
    expect(envelope.data).toMatchObject({
      rp: { id: 'console.example', name: 'Our gateway' },
      user: { name: ann.username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(JSON.stringify(envelope.data)).not.toContain(`"${ann.id}"`)
  })

  it('accepts the response to its own challenge once, from its own pages, with the owner verified', async () => {
    const { register, browser, device } = await site()
    const refusals = [
      await register({ origin: 'https://evil.example' }),
      await register({ rpId: 'evil.example' }),
      await register({ challenge: 'c29tZXRoaW5nIGVsc2U' }),
      await register({ isUserVerified: false }),
    ]
    for (const { code } of refusals) expect(code).toBe('passkey_invalid')
    const { envelope } = await browser.send('POST', '/api/user/self/passkeys/options')
    const { challenge } = envelope.data as { challenge: string }
    const body = { credential: device.create({ challenge, ...here }) }
    const first = await browser.send('POST', '/api/user/self/passkeys', body)
    expect(first.envelope.data).toMatchObject({ name: 'Passkey', last_used_at: 0 })
    expect((await browser.send('POST', '/api/user/self/passkeys', body)).envelope.code).toBe(
      'passkey_invalid',
    )
  })

  it('uses the challenge of the user who was asked', async () => {
    const { browser, loggedIn, createUser, device } = await site()
    const { envelope } = await browser.send('POST', '/api/user/self/passkeys/options')
    const { challenge } = envelope.data as { challenge: string }
    const other = await loggedIn(await createUser())
    const credential = device.create({ challenge, ...here })
    expect((await other.send('POST', '/api/user/self/passkeys', { credential })).envelope.code).toBe(
      'passkey_invalid',
    )
  })

  it('goes by the address of the site where there is one', async () => {
    const { register, browser } = await site({ ServerAddress: 'https://gateway.example:8443' })
    const { envelope } = await browser.send('POST', '/api/user/self/passkeys/options')
    expect(envelope.data).toMatchObject({ rp: { id: 'gateway.example' } })
    expect((await register()).code).toBe('passkey_invalid')
    const there = { origin: 'https://gateway.example:8443', rpId: 'gateway.example' }
    expect((await register(there)).success).toBe(true)
  })
})

describe('a login by passkey', () => {
  it('finds whose it is, and needs no second factor', async () => {
    const { register, logIn, newcomer, ann, store } = await site()
    await register()
    await withAccount(store, ann.id, (tx, account) =>
      tx.secondFactors.create(account, { secretSealed: 'x', lastStep: 0, createdAt: 0 }, []),
    )
    expect((await logIn()).data).toMatchObject({ id: ann.id })
    newcomer.userId = ann.id
    expect((await newcomer.send('GET', '/api/user/self')).envelope.success).toBe(true)
  })

  it('is refused from another page, without its owner verified, by a copy that counts backwards', async () => {
    const { register, logIn, device } = await site()
    expect((await logIn()).code).toBe('passkey_invalid')
    await register()
    expect((await logIn({ origin: 'https://evil.example' })).code).toBe('passkey_invalid')
    expect((await logIn({ rpId: 'evil.example' })).code).toBe('passkey_invalid')
    expect((await logIn({ isUserVerified: false })).code).toBe('passkey_invalid')
    expect((await logIn()).success).toBe(true)
    device.setCounter(1)
    expect((await logIn()).code).toBe('passkey_invalid')
  })

  it('takes a challenge once, in the browser that asked for it, for five minutes', async () => {
    const { register, device, newcomer, challengeHere, time, ...fixture } = await site()
    await register()
    const credential = device.get({ challenge: await challengeHere(), ...here })
    const elsewhere = await openBrowser(fixture).send('POST', '/api/user/login/passkey', { credential })
    expect(elsewhere.envelope.code).toBe('passkey_invalid')
    expect((await newcomer.send('POST', '/api/user/login/passkey', { credential })).envelope.success).toBe(
      true,
    )
    expect((await newcomer.send('POST', '/api/user/login/passkey', { credential })).envelope.code).toBe(
      'passkey_invalid',
    )
    const late = device.get({ challenge: await challengeHere(), ...here })
    time.ms += 300_000
    expect((await newcomer.send('POST', '/api/user/login/passkey', { credential: late })).envelope.code).toBe(
      'passkey_invalid',
    )
  })

  it('is refused to who was banned or deleted', async () => {
    const { register, logIn, store, ann } = await site()
    await register()
    await store.users.update(ann.id, { status: 'banned' })
    expect((await logIn()).code).toBe('user_banned')
    await store.users.update(ann.id, { deletedAt: 5 })
    expect((await logIn()).code).toBe('passkey_invalid')
  })

  it('takes nonsense for what it is', async () => {
    const { newcomer } = await site()
    for (const credential of [{}, { id: 1 }, 'text', null]) {
      const { envelope } = await newcomer.send('POST', '/api/user/login/passkey', { credential })
      expect(envelope.code).toBe('invalid_parameter')
    }
  })
})

describe('passkeys of one’s own', () => {
  it('are listed, renamed and removed by their owner alone, without what they are made of', async () => {
    const { register, browser, loggedIn, createUser } = await site()
    const { data } = await register()
    const { id } = data as Passkey
    const stranger = await loggedIn(await createUser())
    const path = `/api/user/self/passkeys/${id}`
    expect((await stranger.send('PUT', path, { name: 'mine' })).envelope.code).toBe('record_not_found')
    expect((await stranger.send('DELETE', path)).envelope.code).toBe('record_not_found')
    expect((await stranger.send('GET', '/api/user/self/passkeys')).envelope.data).toEqual([])
    expect((await browser.send('PUT', path, { name: ' Phone ' })).envelope.data).toMatchObject({
      name: 'Phone',
    })
    expect((await browser.send('PUT', path, { name: ' ' })).envelope.code).toBe('passkey_name_invalid')
    const listed = (await browser.send('GET', '/api/user/self/passkeys')).envelope.data as Passkey[]
    expect(Object.keys(listed[0] ?? {}).toSorted()).toEqual(['created_at', 'id', 'last_used_at', 'name'])
    expect((await browser.send('DELETE', path)).envelope.success).toBe(true)
  })

  it('stay while one is the last way to sign in', async () => {
    const { register, browser, store, ann } = await site()
    const { id } = (await register()).data as Passkey
    await store.users.update(ann.id, { passwordHash: '' })
    const path = `/api/user/self/passkeys/${id}`
    expect((await browser.send('DELETE', path)).envelope.code).toBe('last_way_to_sign_in')
  })
})
