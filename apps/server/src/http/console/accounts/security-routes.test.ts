import { afterAll, describe, expect, it } from 'bun:test'
import type { AccessTokenRow, SecurityEventRow } from '@tollgate/api'
import { Secret, TOTP } from 'otpauth'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { User } from '../../../store/accounts/users.ts'
import { openBrowser } from '../test-support/browser.ts'
import { type ConsoleFixture, consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const password = 'a long password'
const passwordHash = quickPasswords.hash(password)
const now = 1_800_000_000

type Created = AccessTokenRow & { readonly token: string }

async function openFixture(settings: Record<string, string> = {}) {
  const fixture = await consoleFixture({ ownStore: true, settings })
  const create = async (username: string, role: User['role'] = 'common') =>
    fixture.createUser({ username, role, passwordHash: await passwordHash })
  return { ...fixture, create, ann: await create('ann') }
}

async function browserOf(fixture: ConsoleFixture, { id }: Pick<User, 'id'>) {
  const browser = openBrowser(fixture)
  browser.userId = id
  browser.cookies.set('session', await fixture.sessionOf({ id }))
  return browser
}

/** A program that presents an access token. */
function programOf(fixture: ConsoleFixture, { id }: Pick<User, 'id'>, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(id) }
  return async (method: string, path: string, body?: unknown) =>
    (await fixture.send(method, path, { headers, ...(body !== undefined && { body }) })).envelope
}

async function withToken(fields: object = {}) {
  const fixture = await openFixture()
  const { ann } = fixture
  const browser = await browserOf(fixture, ann)
  const path = '/api/user/self/access_tokens'
  const create = async (body: object) => (await browser.send('POST', path, body)).envelope
  const list = async () => (await browser.send('GET', path)).envelope.data as AccessTokenRow[]
  const created = (await create({ name: 'Deploy script', ...fields })).data as Created
  return {
    ...fixture,
    browser,
    path,
    createToken: create,
    list,
    created,
    program: programOf(fixture, ann, created.token),
  }
}

describe('access tokens of one’s own', () => {
  it('show their secret once, and when they were used', async () => {
    const { program, list, created, time, vault } = await withToken()
    expect(created).toMatchObject({ name: 'Deploy script', scope: 'full', expires_at: 0, last_used_at: 0 })
    expect(created.token).toMatch(/^\w{32}$/)
    expect(JSON.stringify(await list())).not.toContain(created.token)
    expect(JSON.stringify(await list())).not.toContain(vault.hash(created.token))
    time.ms += 60_000
    expect((await program('GET', '/api/user/self')).success).toBe(true)
    expect((await list())[0]?.last_used_at).toBe(now + 60)
  })

  it('of scope read change nothing, by whatever method', async () => {
    const { program } = await withToken({ scope: 'read' })
    expect((await program('GET', '/api/user/self')).success).toBe(true)
    expect((await program('GET', '/api/token')).success).toBe(true)
    for (const [method, path] of [
      ['POST', '/api/token'],
      ['PUT', '/api/user/self'],
      ['DELETE', '/api/token/1'],
      ['POST', '/api/token/keys'],
    ] as const)
      expect((await program(method, path, {})).code).toBe('access_token_read_only')
    // A GET that makes a token, as older programs call it.
    expect(['access_token_read_only', 'session_required']).toContain(
      (await program('GET', '/api/user/token')).code as string,
    )
  })

  it('end when they said they would', async () => {
    const { program, time, list, users } = await withToken({ expires_at: now + 100 })
    time.ms += 99_000
    expect((await program('GET', '/api/user/self')).success).toBe(true)
    time.ms += 1000
    expect((await program('GET', '/api/user/self')).code).toBe('access_token_invalid')
    expect(await list()).toHaveLength(1)
    await users.accessTokens.deleteExpired()
    expect(await list()).toEqual([])
  })

  it('are removed by their owner alone, at once, and another goes on', async () => {
    const fixture = await withToken()
    const { program, createToken, list, created, browser, path, ann } = fixture
    const second = (await createToken({ name: 'second' })).data as Created
    const stranger = await browserOf(fixture, await fixture.create('ben'))
    expect((await stranger.send('DELETE', `${path}/${created.id}`)).envelope.code).toBe('record_not_found')
    expect((await program('GET', '/api/user/self')).success).toBe(true)
    expect((await browser.send('DELETE', `${path}/${created.id}`)).envelope.success).toBe(true)
    expect((await program('GET', '/api/user/self')).code).toBe('access_token_invalid')
    expect((await programOf(fixture, ann, second.token)('GET', '/api/user/self')).success).toBe(true)
    expect((await list()).map(({ name }) => name)).toEqual(['second'])
  })

  it('replace only the one without a name, by the older call', async () => {
    const fixture = await withToken()
    const { browser, program, list, ann } = fixture
    const unnamed = (await browser.send('GET', '/api/user/token')).envelope.data as string
    await browser.send('GET', '/api/user/token')
    expect((await programOf(fixture, ann, unnamed)('GET', '/api/user/self')).code).toBe(
      'access_token_invalid',
    )
    expect((await program('GET', '/api/user/self')).success).toBe(true)
    expect((await list()).map(({ name }) => name)).toEqual(['', 'Deploy script'])
  })

  it('refuse what cannot be, and more than fifty', async () => {
    const { createToken } = await withToken()
    expect((await createToken({ name: '  ' })).code).toBe('access_token_name_invalid')
    expect((await createToken({ name: '长'.repeat(51) })).code).toBe('access_token_name_invalid')
    expect((await createToken({ name: 'x', expires_at: now })).code).toBe('access_token_expiry_past')
    expect((await createToken({ name: 'x', scope: 'all' })).code).toBe('invalid_parameter')
    for (let made = 1; made < 50; made += 1)
      expect((await createToken({ name: `t${made}` })).success).toBe(true)
    expect((await createToken({ name: 'one too many' })).code).toBe('access_tokens_too_many')
  })

  it('are not listed, made or removed by a token', async () => {
    const { program, path, created } = await withToken()
    expect((await program('GET', path)).code).toBe('session_required')
    expect((await program('POST', path, { name: 'more' })).code).toBe('session_required')
    expect((await program('DELETE', `${path}/${created.id}`)).code).toBe('session_required')
  })
})

describe('the life of sessions', () => {
  it('ends without calls, and goes on with them', async () => {
    const fixture = await openFixture({ SessionIdleHours: '2' })
    const [busy, idle] = [await browserOf(fixture, fixture.ann), await browserOf(fixture, fixture.ann)]
    const isIn = async ({ send }: typeof busy) => (await send('GET', '/api/user/self')).status === 200
    for (let half = 0; half < 5; half += 1) {
      fixture.time.ms += 1_800_000
      expect(await isIn(busy)).toBe(true)
    }
    expect(await isIn(idle)).toBe(false)
  })

  it('ends whatever is done, and is shortened for those that are open', async () => {
    const fixture = await openFixture()
    const browser = await browserOf(fixture, fixture.ann)
    fixture.time.ms += 3 * 3_600_000
    expect((await browser.send('GET', '/api/user/self')).status).toBe(200)
    await fixture.settings.set('SessionLifetimeHours', '3')
    expect((await browser.send('GET', '/api/user/self')).status).toBe(401)
  })
})

describe('what administrators must do', () => {
  it('is to come from an address that is allowed, for open sessions and tokens too', async () => {
    const fixture = await openFixture({ AdminAllowedRanges: '198.51.100.0/24' })
    const admin = await fixture.create('boss', 'admin')
    const headers = await fixture.loggedIn(admin)
    const from = async (address: string, path = '/api/user/self') =>
      (await fixture.send('GET', path, { headers, from: address })).envelope.code
    expect(await from('198.51.100.7')).toBeUndefined()
    expect(await from('198.51.101.7')).toBe('admin_address_not_allowed')
    expect(await from('192.0.2.1', '/api/user/2')).toBe('admin_address_not_allowed')
    const token = await fixture.accessTokenOf(admin)
    expect((await programOf(fixture, admin, token)('GET', '/api/user/self')).code).toBe(
      'admin_address_not_allowed',
    )
    const ann = await fixture.loggedIn(fixture.ann)
    expect((await fixture.send('GET', '/api/user/self', { headers: ann })).status).toBe(200)
  })

  it('keeps a right password from another address out, and records it', async () => {
    const fixture = await openFixture({ AdminAllowedRanges: '198.51.100.0/24' })
    await fixture.create('boss', 'admin')
    const login = (from: string) =>
      fixture.send('POST', '/api/user/login', { body: { username: 'boss', password }, from })
    expect((await login('192.0.2.1')).envelope.code).toBe('admin_address_not_allowed')
    expect((await login('198.51.100.7')).envelope.success).toBe(true)
    const { rows } = await fixture.store.securityEvents.page({}, { offset: 0, limit: 10 })
    expect(rows.map(({ kind, detail, address }) => [kind, detail, address])).toEqual([
      ['login', 'password', '198.51.100.7'],
      ['login-failed', 'address', '192.0.2.1'],
    ])
  })

  it('is to have a second factor, before anything that needs an administrator', async () => {
    const fixture = await openFixture({ AdminSecondFactorRequired: 'true' })
    const admin = await fixture.create('boss', 'admin')
    const browser = await browserOf(fixture, admin)
    const code = async (path: string) => (await browser.send('GET', path)).envelope.code
    expect(await code('/api/user/2')).toBe('admin_second_factor_required')
    expect(await code('/api/user/self')).toBeUndefined()
    expect(await code('/api/user/self/2fa')).toBeUndefined()
    const begun = await browser.send('POST', '/api/user/self/2fa/begin', {})
    const { secret } = begun.envelope.data as { secret: string }
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const confirmed = { code: totp.generate({ timestamp: fixture.time.ms }) }
    expect((await browser.send('POST', '/api/user/self/2fa/confirm', confirmed)).envelope.success).toBe(true)
    expect(await code(`/api/user/${fixture.ann.id}`)).toBeUndefined()
  })
})

describe('security events', () => {
  async function played() {
    const fixture = await openFixture()
    const browser = openBrowser(fixture)
    const login = (provided: string) =>
      browser.send('POST', '/api/user/login', { username: 'ann', password: provided })
    await login('wrong')
    await login(password)
    browser.userId = fixture.ann.id
    await browser.send('POST', '/api/user/self/access_tokens', { name: 'CI' })
    await browserOf(fixture, fixture.ann)
    await browser.send('DELETE', '/api/user/self/sessions')
    await login('wrong again')
    return { ...fixture, browser }
  }
  const own = '/api/user/self/security_events'

  it('tell an owner what happened to their own account, newest first, by page and kind', async () => {
    const { browser } = await played()
    const page = async (query: string) =>
      (await browser.send('GET', `${own}?${query}`)).envelope.data as {
        total: number
        items: SecurityEventRow[]
      }
    const all = await page('page_size=100')
    expect(all.items.map(({ kind, detail }) => `${kind} ${detail}`.trim())).toEqual([
      'login-failed password',
      'sessions-ended',
      'access-token',
      'login password',
      'login-failed password',
    ])
    expect(all.items[1]).toMatchObject({
      address: '192.0.2.1',
      user_agent: 'TestBrowser/1.0',
      username: 'ann',
    })
    expect(await page('p=2&page_size=2')).toMatchObject({ total: 5, items: all.items.slice(2, 4) })
    expect((await page('kind=login-failed')).total).toBe(2)
  })

  it('are shown to nobody else but root, who filters and exports them', async () => {
    const { browser, send, loggedIn, create } = await played()
    const root = await create('root', 'root')
    const admin = await loggedIn(await create('boss', 'admin'))
    const ben = await loggedIn(await create('ben'))
    expect((await send('GET', own, { headers: ben })).envelope.data).toMatchObject({ total: 0 })
    expect((await send('GET', '/api/security_event/', { headers: admin })).envelope.code).toBe(
      'permission_denied',
    )
    expect((await browser.send('GET', '/api/security_event/')).envelope.code).toBe('permission_denied')
    const headers = await loggedIn(root)
    const list = async (query: string) =>
      ((await send('GET', `/api/security_event/?${query}`, { headers })).envelope.data as { total: number })
        .total
    expect(await list('')).toBe(5)
    expect(await list('username=ann&kind=login')).toBe(1)
    expect(await list('username=nobody')).toBe(0)
    expect(await list('address=192.0.2.9')).toBe(0)
    expect(await list(`start_timestamp=${now}&end_timestamp=${now}`)).toBe(5)
    expect(await list(`start_timestamp=${now + 1}`)).toBe(0)
  })

  it('are exported as lines that a spreadsheet does not run', async () => {
    const { raw, loggedIn, create, store, ann } = await played()
    await store.securityEvents.append({
      createdAt: now,
      userId: ann.id,
      username: 'ann',
      kind: 'login',
      detail: '',
      address: '192.0.2.1',
      userAgent: '=cmd()',
    })
    const headers = await loggedIn(await create('root', 'root'))
    const text = await (await raw('GET', '/api/security_event/export?username=ann', { headers })).text()
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toBe('time,user,user_id,event,detail,address,user_agent')
    expect(lines).toHaveLength(7)
    expect(lines[1]).toBe(`2027-01-15T08:00:00.000Z,ann,${ann.id},login,,192.0.2.1,'=cmd()`)
  })
})
