import { afterAll, describe, expect, it } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { consoleFixture, type Sent } from '../test-support/console-fixture.ts'

const turnstile = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({ success: true }) })
afterAll(async () => {
  turnstile.stop(true)
  await closeTestStores()
})

const password = 'correct horse'
const hash = quickPasswords.hash(password)
/** Limit of one address; strangers together have five times as many of a password. */
const limit = 3

async function site(settings: Readonly<Record<string, string>> = {}) {
  const fixture = await consoleFixture({
    ownStore: true,
    settings,
    limits: { CRITICAL_RATE_LIMIT: limit, CRITICAL_RATE_LIMIT_DURATION: 600 },
    turnstileOrigin: `http://127.0.0.1:${turnstile.port}`,
  })
  const ann = await fixture.createUser({ username: 'ann', passwordHash: await hash })
  const ben = await fixture.createUser({ username: 'ben', passwordHash: await hash })
  const logIn = (
    from: string,
    sent: Partial<{ name: string; word: string; cookie: string; token: string }> = {},
  ) => {
    const { name = 'ann', word = password, cookie, token = '' } = sent
    const request: Sent = {
      body: { username: name, password: word },
      from,
      ...(cookie && { headers: { cookie } }),
    }
    return fixture.send('POST', `/api/user/login?turnstile=${token}`, request)
  }
  /** Strangers use up what they may try of ann's password. */
  const guess = async (token = '') => {
    for (let turn = 0; turn < 5 * limit; turn += 1)
      await logIn(`198.51.100.${Math.floor(turn / limit) + 1}`, { word: `wrong ${turn}`, token })
  }
  return { ...fixture, ann, ben, logIn, guess }
}

const deviceIn = (headers: Headers) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('device_'))
    ?.split(';')[0] ?? ''

describe('a budget of one’s own', () => {
  it('is for a browser and for an address that have logged in to the account, and for no others', async () => {
    const { logIn, guess } = await site()
    const own = deviceIn((await logIn('192.0.2.10')).headers)
    const foreign = deviceIn((await logIn('192.0.2.20', { name: 'ben' })).headers)
    await guess()
    const stranger = await logIn('192.0.2.99')
    expect([stranger.status, stranger.envelope.code]).toEqual([429, 'too_many_requests'])
    expect(Number(stranger.headers.get('retry-after'))).toBeWithin(1, 601)
    expect((await logIn('192.0.2.98', { cookie: foreign })).status).toBe(429)
    expect((await logIn('192.0.2.20')).status).toBe(429)
    expect((await logIn('192.0.2.97', { cookie: own })).envelope.success).toBe(true)
    expect((await logIn('192.0.2.10')).envelope.success).toBe(true)
    expect((await logIn('192.0.2.96', { name: 'ben' })).envelope.success).toBe(true)
  })

  it('ends a year after the last log-in in the browser', async () => {
    const { logIn, guess, time } = await site()
    const own = deviceIn((await logIn('192.0.2.10')).headers)
    time.ms += 366 * 24 * 3600 * 1000
    await guess()
    expect((await logIn('192.0.2.97', { cookie: own })).status).toBe(429)
  })

  it('is for who passes the human check, as many times as one address may try', async () => {
    const { logIn, guess } = await site({ TurnstileCheckEnabled: 'true', TurnstileSecretKey: 'secret' })
    await guess('solved')
    expect((await logIn('192.0.2.50', { token: 'solved' })).envelope.success).toBe(true)
    expect((await logIn('192.0.2.50')).envelope.code).toBe('human_check_missing')
    const tries = []
    for (let turn = 0; turn < limit + 1; turn += 1)
      tries.push((await logIn('192.0.2.51', { token: 'solved', word: `wrong ${turn}` })).status)
    expect(tries).toEqual([...Array(limit).fill(200), 429])
  })

  it('is for a session that proves its identity or changes its password', async () => {
    const { send, loggedIn, ann, guess } = await site()
    const headers = await loggedIn(ann)
    const cookies = { ...headers, cookie: (headers['cookie'] ?? '').replace('__Host-', '') }
    await guess()
    const from = '192.0.2.60'
    const proven = await send('POST', '/api/user/self/proof/password', {
      headers: cookies,
      from,
      body: { password },
    })
    expect(proven.envelope).toMatchObject({ success: true })
    const body = { original_password: password, password: 'another horse' }
    const changed = await send('PUT', '/api/user/self', { headers: cookies, from, body })
    expect(changed.envelope).toMatchObject({ success: true })
  })

  it('is for the second factor, too', async () => {
    const { send, loggedIn, ann, logIn, time } = await site()
    const headers = await loggedIn(ann)
    const cookies = { ...headers, cookie: (headers['cookie'] ?? '').replace('__Host-', '') }
    const own = deviceIn((await logIn('192.0.2.10')).headers)
    const begun = await send('POST', '/api/user/self/2fa/begin', {
      headers: cookies,
      from: '192.0.2.61',
      body: {},
    })
    const { secret } = begun.envelope.data as { secret: string }
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time.ms })
    await send('POST', '/api/user/self/2fa/confirm', {
      headers: cookies,
      from: '192.0.2.62',
      body: { code: code() },
    })
    time.ms += 30_000
    const finish = async (from: string, word: string, cookie = '') => {
      const first = await logIn(from, { cookie })
      const challenge = first.headers.getSetCookie().find((line) => line.startsWith('login_challenge'))
      const sent = [challenge?.split(';')[0], cookie].filter(Boolean).join('; ')
      return (
        await send('POST', '/api/user/login/2fa', { from, headers: { cookie: sent }, body: { code: word } })
      ).envelope
    }
    for (let turn = 0; turn < 10; turn += 1) await finish(`198.51.100.${turn + 1}`, '000000')
    expect((await finish('192.0.2.90', code())).code).toBe('second_factor_blocked')
    expect(await finish('192.0.2.91', code(), own)).toMatchObject({ success: true })
  })
})
