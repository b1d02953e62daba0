import { afterAll, describe, expect, it } from 'bun:test'
import { until } from '../../../../../../tests/support/until.ts'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { NewUser } from '../../../store/accounts/users.ts'
import { unique } from '../../../store/contract/samples.ts'
import { consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const settings = { ServerAddress: 'https://gate.example.com', SystemName: 'Gate' }
const password = 'a new password'

async function setUp(fields: Partial<NewUser> = {}, options: FixtureOptions = {}) {
  const fixture = await consoleFixture({ settings, ...options })
  const email = `${unique('Ann+1')}@example.com`
  const ann = await fixture.createUser({ username: unique('ann'), email, ...fields })
  const request = (address = email) =>
    fixture.send('GET', `/api/reset_password?email=${encodeURIComponent(address)}`)
  /** Reads the parameters in the link of the newest mail. */
  const mailed = async (count = 1) => {
    const mail = await until(() => (fixture.mails.length >= count ? fixture.mails.at(-1) : undefined))
    const link = /href="([^"]+)"/.exec(mail.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return { link, ...Object.fromEntries(new URL(link).searchParams) } as Record<
      'link' | 'email' | 'token',
      string
    >
  }
  const reset = async (body: object) => (await fixture.send('POST', '/api/user/reset', { body })).envelope
  const login = async (provided: string) =>
    (await fixture.send('POST', '/api/user/login', { body: { username: ann.username, password: provided } }))
      .envelope.success
  return { ...fixture, ann, email, request, mailed, reset, login }
}

describe('a forgotten password', () => {
  it('is reset by a link to the address, with a password of one’s own', async () => {
    const { request, mailed, reset, login, email } = await setUp()
    expect((await request()).envelope).toEqual({ success: true, message: '' })
    const link = await mailed()
    expect(link.link).toStartWith('https://gate.example.com/user/reset?')
    expect(link.link).toContain(encodeURIComponent(email))
    expect(link.email).toBe(email)
    expect(await reset({ ...link, password })).toEqual({ success: true, message: '' })
    expect(await login(password)).toBe(true)
  })

  it('is replaced by one that is made up when none is given', async () => {
    const { request, mailed, reset, login } = await setUp()
    await request()
    const { data } = await reset(await mailed())
    expect(data).toMatch(/^\w{16}$/)
    expect(await login(data as string)).toBe(true)
  })

  it('takes every session and the access token along', async () => {
    const fixture = await setUp()
    const { send, ann } = fixture
    const headers = await fixture.loggedIn(ann)
    const token = await fixture.accessTokenOf(ann)
    const bearer = { authorization: token, 'new-api-user': String(ann.id) }
    const isIn = async (sent: Record<string, string>) =>
      (await send('GET', '/api/user/self', { headers: sent })).envelope.success
    expect([await isIn(headers), await isIn(bearer)]).toEqual([true, true])
    await fixture.request()
    await fixture.reset({ ...(await fixture.mailed()), password })
    expect([await isIn(headers), await isIn(bearer)]).toEqual([false, false])
  })

  it('gets the same response for addresses without an account and of banned and deleted users', async () => {
    const fixture = await setUp()
    const banned = await fixture.createUser({ status: 'banned', email: `${unique('banned')}@example.com` })
    const gone = await fixture.createUser({ email: `${unique('gone')}@example.com` })
    await fixture.store.users.update(gone.id, { deletedAt: 1 })
    const known = await fixture.request()
    for (const address of [banned.email, gone.email, 'nobody@example.com']) {
      const { status, envelope } = await fixture.request(address)
      expect([status, envelope]).toEqual([known.status, known.envelope])
    }
    await fixture.mailed()
    expect(fixture.mails.map(({ to }) => to)).toEqual([fixture.email])
  })

  it('does not let a slow or broken mail server say that there is an account', async () => {
    const never = new Promise<never>(() => undefined)
    const slow = await setUp(
      {},
      { mailer: { isConfigured: true, lastFailure: undefined, send: () => never } },
    )
    expect((await slow.request()).envelope.success).toBe(true)
    const failing = () => Promise.reject(new Refusal('mail_failed'))
    const broken = await setUp({}, { mailer: { isConfigured: true, lastFailure: undefined, send: failing } })
    expect((await broken.request()).envelope.success).toBe(true)
  })

  it.each([
    ['email_invalid', 'ann@example.com,bob@example.com', {}, true],
    ['mail_not_configured', 'nobody@example.com', {}, false],
    ['server_address_missing', 'nobody@example.com', { settings: { ServerAddress: '' } }, true],
  ])('is refused as %s the same for everybody', async (code, address, options, isConfigured) => {
    const mailer = { isConfigured, lastFailure: undefined, send: () => Promise.resolve() }
    const { request } = await setUp({}, { ...options, mailer })
    expect((await request(address)).envelope.code).toBe(code)
  })

  it('does not flood an inbox, nor say whose it is', async () => {
    const { request, email } = await setUp()
    for (const address of [email, 'nobody@example.com']) {
      const codes: (string | undefined)[] = []
      for (let each = 0; each < 6; each += 1) codes.push((await request(address)).envelope.code)
      expect(codes).toEqual([...Array(5).fill(undefined), 'mail_too_often'])
    }
  })
})

describe('a link for a new password', () => {
  it('is good once, however many use it at once', async () => {
    const { request, mailed, reset } = await setUp()
    await request()
    const link = await mailed()
    const responseBodies = await Promise.all(Array.from({ length: 5 }, () => reset({ ...link, password })))
    expect(responseBodies.filter(({ success }) => success)).toHaveLength(1)
    expect(responseBodies.find(({ success }) => !success)?.code).toBe('reset_link_invalid')
  })

  it('is good for ten minutes, and until there is a newer one', async () => {
    const { request, mailed, reset, time } = await setUp()
    await request()
    const first = await mailed()
    await request()
    const second = await mailed(2)
    expect((await reset({ ...first, password })).code).toBe('reset_link_invalid')
    time.ms += 600_000
    expect((await reset({ ...second, password })).code).toBe('reset_link_invalid')
  })

  it('is good for its own account alone', async () => {
    const { request, mailed, reset, createUser, store } = await setUp()
    const bob = await createUser({ email: `${unique('bob')}@example.com` })
    await request()
    const { token } = await mailed()
    expect((await reset({ email: bob.email, token, password })).code).toBe('reset_link_invalid')
    expect((await store.users.find(bob.id))?.passwordHash).toBe(bob.passwordHash)
  })

  it('is worth nothing once the account has another address', async () => {
    const { request, mailed, reset, store, ann } = await setUp()
    await request()
    const { token, email } = await mailed()
    const moved = `${unique('moved')}@example.com`
    await store.users.update(ann.id, { email: moved })
    for (const claimed of [email, moved])
      expect((await reset({ email: claimed, token, password })).code).toBe('reset_link_invalid')
  })

  it('opens nothing for a user who was banned or deleted meanwhile', async () => {
    for (const change of [{ status: 'banned' as const }, { deletedAt: 1 }]) {
      const { request, mailed, reset, store, ann } = await setUp()
      await request()
      const link = await mailed()
      await store.users.update(ann.id, change)
      expect((await reset({ ...link, password })).code).toBe('reset_link_invalid')
    }
  })

  it('is not used up by a password that cannot be', async () => {
    const { request, mailed, reset, login } = await setUp()
    await request()
    const link = await mailed()
    expect((await reset({ ...link, password: 'short' })).code).toBe('password_short')
    expect((await reset({ ...link, password })).success).toBe(true)
    expect(await login(password)).toBe(true)
  })

  it.each([{}, { email: 'ann@example.com' }, { token: 'x' }, { email: 'ann@example.com', token: 'x' }])(
    'is whole or nothing: %p',
    async (body) => {
      expect((await (await setUp()).reset(body)).code).toBe('reset_link_invalid')
    },
  )

  it('is limited per address while it fails', async () => {
    const { send } = await setUp({}, { limits: { CRITICAL_RATE_LIMIT: 3 } })
    const statuses: number[] = []
    for (let each = 0; each < 4; each += 1)
      statuses.push(
        (await send('POST', '/api/user/reset', { body: { email: 'a@b.de', token: `${each}` } })).status,
      )
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('gives a password to an account that had none', async () => {
    const { request, mailed, reset, login } = await setUp({ passwordHash: '' })
    await request()
    await reset({ ...(await mailed()), password })
    expect(await login(password)).toBe(true)
  })

  it('ends the old password', async () => {
    const passwordHash = await quickPasswords.hash('the old password')
    const { request, mailed, reset, login } = await setUp({ passwordHash })
    await request()
    await reset({ ...(await mailed()), password })
    expect([await login('the old password'), await login(password)]).toEqual([false, true])
  })
})
