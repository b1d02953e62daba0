import { afterEach, describe, expect, it } from 'bun:test'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { NewUser } from '../../../store/accounts/users.ts'
import { type ConsoleFixture, consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterEach(closeTestStores)

const password = 'correct horse'

async function withAnn(fields: Partial<NewUser> = {}, options: FixtureOptions = {}) {
  const fixture = await consoleFixture({ ownStore: true, ...options })
  const passwordHash = await quickPasswords.hash(password)
  const ann = await fixture.createUser({ username: 'ann', email: 'Ann@Example.com', passwordHash, ...fields })
  const login = (body: unknown, headers: Record<string, string> = {}) =>
    fixture.send('POST', '/api/user/login', { body, headers })
  return { ...fixture, ann, login }
}

function cookieOf(headers: Headers): string {
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

describe('login', () => {
  it('opens a session with the username, and returns only what a browser stores', async () => {
    const { login, ann, send } = await withAnn()
    const { status, headers, envelope } = await login({ username: ' ann ', password })
    expect(status).toBe(200)
    expect(envelope.data).toEqual({
      id: ann.id,
      username: 'ann',
      display_name: 'Ann',
      role: 1,
      status: 1,
      group: 'default',
    })
    expect(headers.getSetCookie()[0]).toMatch(
      /^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    )
    expect(headers.getSetCookie()[1]).toMatch(
      new RegExp(
        `^device_${ann.id}=${ann.id}\\.\\w{16}\\.\\d+\\.\\w{64}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax$`,
      ),
    )
    const self = await send('GET', '/api/user/self', {
      headers: { cookie: cookieOf(headers), 'new-api-user': String(ann.id) },
    })
    expect(self.envelope.success).toBe(true)
  })

  it('works with the e-mail address too', async () => {
    const { login } = await withAnn()
    expect((await login({ username: 'Ann@Example.com', password })).envelope.success).toBe(true)
  })

  it('gives the same response to a wrong name, a wrong password, a banned user, and a user without a password', async () => {
    const { login, createUser, ann, store } = await withAnn()
    await createUser({ username: 'elsewhere' })
    await createUser({ username: 'banned', passwordHash: ann.passwordHash, status: 'banned' })
    const responseBodies = await Promise.all([
      login({ username: 'nobody', password }),
      login({ username: 'ann', password: 'wrong horse' }),
      login({ username: 'banned', password }),
      login({ username: 'elsewhere', password }),
      login({ username: 'ann', password: 'x'.repeat(100_000) }),
    ])
    for (const { status, envelope, headers } of responseBodies) {
      expect(status).toBe(200)
      expect(envelope).toEqual({
        success: false,
        code: 'login_failed',
        message: 'Wrong username or password, or the user is banned',
      })
      expect(headers.get('set-cookie')).toBeNull()
    }
    await store.users.update(ann.id, { deletedAt: 1 })
    expect((await login({ username: 'ann', password })).envelope.code).toBe('login_failed')
  })

  it('asks for both fields', async () => {
    const { login } = await withAnn()
    for (const body of [{}, { username: 'ann' }, { password }, { username: '  ', password }]) {
      expect((await login(body)).envelope.code).toBe('login_fields_empty')
    }
  })

  it('can be switched off', async () => {
    const { login } = await withAnn({}, { settings: { PasswordLoginEnabled: 'false' } })
    expect((await login({ username: 'ann', password })).envelope.code).toBe('password_login_disabled')
  })

  it('replaces an imported bcrypt hash by argon2id', async () => {
    const bcrypt = await Bun.password.hash(password, { algorithm: 'bcrypt', cost: 4 })
    const { login, store, ann } = await withAnn({ passwordHash: bcrypt })
    expect((await login({ username: 'ann', password })).envelope.success).toBe(true)
    expect((await store.users.find(ann.id))?.passwordHash).toStartWith('$argon2id$')
    expect((await login({ username: 'ann', password })).envelope.success).toBe(true)
  })

  it('ends the session that the browser had, so that a planted id is worth nothing', async () => {
    const { login, ann, send } = await withAnn()
    const first = cookieOf((await login({ username: 'ann', password })).headers)
    const second = cookieOf((await login({ username: 'ann', password }, { cookie: first })).headers)
    expect(second).not.toBe(first)
    const self = async (cookie: string) =>
      (await send('GET', '/api/user/self', { headers: { cookie, 'new-api-user': String(ann.id) } })).status
    expect(await self(first)).toBe(401)
    expect(await self(second)).toBe(200)
  })

  it('marks the cookie Secure behind a trusted https proxy', async () => {
    const { login } = await withAnn({}, { trustedProxies: ['192.0.2.1'] })
    const { headers } = await login({ username: 'ann', password }, { 'x-forwarded-proto': 'https' })
    expect(headers.get('set-cookie')).toEndWith('; Secure')
  })

  describe('where the address of the site is https', () => {
    const settings = { ServerAddress: 'https://gate.example' }
    const named = (headers: Headers) => headers.getSetCookie().map((line) => line.split('=')[0])

    it('gives a cookie that belongs to the host and is sent over https alone', async () => {
      const { login, send, ann } = await withAnn({}, { settings })
      const { headers } = await login({ username: 'ann', password })
      expect(headers.getSetCookie()[0]).toMatch(
        /^__Host-session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      )
      expect(headers.getSetCookie()[1]).toStartWith(`__Host-device_${ann.id}=`)
      const own = { cookie: cookieOf(headers), 'new-api-user': String(ann.id) }
      expect((await send('GET', '/api/user/self', { headers: own })).status).toBe(200)
    })

    it('does not take a cookie that a neighbouring subdomain could have planted, and replaces it', async () => {
      const { login, send, ann, sessionOf } = await withAnn({}, { settings })
      const planted = `session=${await sessionOf(ann)}`
      const headers = { cookie: planted, 'new-api-user': String(ann.id) }
      expect((await send('GET', '/api/user/self', { headers })).status).toBe(401)
      const response = await login({ username: 'ann', password }, { cookie: planted })
      expect(named(response.headers)).toEqual(['__Host-session', 'session', `__Host-device_${ann.id}`])
      expect(response.headers.getSetCookie()[1]).toStartWith('session=; Path=/; Max-Age=0')
    })

    it('gives its own machine the cookie that plain http keeps', async () => {
      const { send, ann } = await withAnn({}, { settings })
      const { headers } = await send('POST', '/api/user/login', {
        body: { username: 'ann', password },
        from: '127.0.0.1',
        headers: { host: 'localhost:3000', origin: 'http://localhost:3000' },
      })
      expect(named(headers)).toEqual(['session', `device_${ann.id}`])
      expect(headers.get('set-cookie')).not.toContain('Secure')
    })

    it('says so to a browser that came by plain http, which would not keep it', async () => {
      const { login } = await withAnn({}, { settings })
      const there = { host: '192.0.2.80', origin: 'http://192.0.2.80' }
      const { envelope } = await login({ username: 'ann', password }, there)
      expect(envelope.code).toBe('https_required')
    })
  })

  it('stores no session id that could be used if the database leaked', async () => {
    const { login, store, ann } = await withAnn()
    const id = cookieOf((await login({ username: 'ann', password })).headers).slice('session='.length)
    expect(await store.sessions.find(id, 0)).toBeUndefined()
    expect(
      await store.sessions.find(new Bun.CryptoHasher('sha256').update(id).digest('hex'), 0),
    ).toMatchObject({
      userId: ann.id,
    })
  })
})

describe('a session', () => {
  const statusOf = async ({ send }: ConsoleFixture, headers: Record<string, string>) =>
    (await send('GET', '/api/user/self', { headers })).status

  it('ends with logout, which also works without one', async () => {
    const fixture = await withAnn()
    const headers = await fixture.loggedIn(fixture.ann)
    expect(await statusOf(fixture, headers)).toBe(200)
    const out = await fixture.send('GET', '/api/user/logout', { headers })
    expect(out.envelope).toEqual({ success: true, message: '' })
    expect(out.headers.get('set-cookie')).toStartWith('session=; Path=/; Max-Age=0')
    expect(await statusOf(fixture, headers)).toBe(401)
    expect((await fixture.send('GET', '/api/user/logout')).envelope.success).toBe(true)
  })

  it('ends after thirty days', async () => {
    const fixture = await withAnn()
    const headers = await fixture.loggedIn(fixture.ann)
    fixture.time.ms += 30 * 24 * 3600 * 1000 - 1000
    expect(await statusOf(fixture, headers)).toBe(200)
    fixture.time.ms += 1000
    expect(await statusOf(fixture, headers)).toBe(401)
  })

  it('ends with all others of the user when they are ended together', async () => {
    const fixture = await withAnn()
    const [here, there] = [await fixture.loggedIn(fixture.ann), await fixture.loggedIn(fixture.ann)]
    const other = await fixture.loggedIn(await fixture.createUser())
    for (const headers of [here, there, other]) expect(await statusOf(fixture, headers)).toBe(200)
    await fixture.users.sessions.endAllOf(fixture.ann.id)
    expect([await statusOf(fixture, here), await statusOf(fixture, there)]).toEqual([401, 401])
    expect(await statusOf(fixture, other)).toBe(200)
  })

  it('that another node ended is noticed when the user is announced, and at the latest in half a minute', async () => {
    const fixture = await withAnn()
    const [first, second] = [await fixture.loggedIn(fixture.ann), await fixture.loggedIn(fixture.ann)]
    for (const headers of [first, second]) expect(await statusOf(fixture, headers)).toBe(200)
    await fixture.store.sessions.deleteOfUser(fixture.ann.id)
    fixture.bus.publish('user-changed', { id: fixture.ann.id })
    expect(await statusOf(fixture, first)).toBe(401)
    const third = await fixture.loggedIn(fixture.ann)
    expect(await statusOf(fixture, third)).toBe(200)
    await fixture.store.sessions.deleteOfUser(fixture.ann.id)
    fixture.time.ms += 30_000
    expect(await statusOf(fixture, third)).toBe(401)
  })

  it('is read from the database once while it is in use', async () => {
    const fixture = await withAnn()
    const headers = await fixture.loggedIn(fixture.ann)
    let reads = 0
    const find = fixture.store.sessions.find
    fixture.store.sessions.find = (...args) => {
      reads++
      return find(...args)
    }
    for (let call = 0; call < 5; call++) await statusOf(fixture, headers)
    expect(reads).toBe(1)
  })
})

describe('a user on the wire', () => {
  it('has no secret in it', async () => {
    const setting = JSON.stringify({ notify_type: 'webhook', webhook_secret: 'hush-hush' })
    const fixture = await withAnn({ setting, accessTokenHash: 'hash-of-access-token' })
    const response = await fixture.raw('GET', '/api/user/self', {
      headers: await fixture.loggedIn(fixture.ann),
    })
    const text = await response.text()
    for (const secret of ['hush-hush', 'hash-of-access-token', fixture.ann.passwordHash]) {
      expect(text).not.toContain(secret)
    }
    expect(JSON.parse(text).data).toMatchObject({ password: '', username: 'ann', DeletedAt: null })
  })

  it('shows the balance as of now, with calls that the database does not know yet', async () => {
    const fixture = await withAnn()
    const { ann, store, ledger, send } = fixture
    const credit = { accountKind: 'user', cause: 'initial', createdAt: 0, actorId: 0, note: '' } as const
    await store.ledger.credit({ ...credit, accountId: ann.id, amount: 1000 })
    const headers = await fixture.loggedIn(ann)
    const figures = async () => {
      const { quota, used_quota, request_count } = (await send('GET', '/api/user/self', { headers })).envelope
        .data as { quota: number; used_quota: number; request_count: number }
      return [quota, used_quota, request_count]
    }
    expect(await figures()).toEqual([1000, 0, 0])
    await ledger.charge('user', ann.id, 30)
    await ledger.charge('user', ann.id, 12)
    expect(await figures()).toEqual([958, 42, 2])
  })

  it('reaches the models of their group', async () => {
    const fixture = await withAnn({ group: 'staff' })
    const headers = await fixture.loggedIn(fixture.ann)
    const { envelope } = await fixture.send('GET', '/api/user/models', { headers })
    expect(envelope.data).toEqual(['staff-model', 'shared-model'])
  })
})
