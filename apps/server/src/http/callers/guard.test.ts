import { afterAll, describe, expect, it } from 'bun:test'
import { acts, type Call, proofConditionOf, type Role } from '@tollgate/api'
import { Secret, TOTP } from 'otpauth'
import { quickPasswords } from '../../accounts/users/test-support/quick-passwords.ts'
import { createSoftwareAuthenticator } from '../../accounts/users/test-support/software-authenticator.ts'
import { closeTestStores } from '../../accounts/users/test-support/test-store.ts'
import { unique } from '../../store/contract/samples.ts'
import { allCalls } from '../console/test-support/access-walk.ts'
import { openBrowser } from '../console/test-support/browser.ts'
import { consoleFixture, type FixtureOptions } from '../console/test-support/console-fixture.ts'
import { standIn } from '../console/test-support/kind-routes.ts'
import { sampleFixture as fixture } from '../console/test-support/sample-routes.ts'

afterAll(closeTestStores)

describe('the guard', () => {
  async function guarded(headers: Record<string, string>, path = '/api/user/self') {
    const { send } = current
    const { status, envelope } = await send('GET', path, { headers })
    return { status, code: envelope.code ?? 'admitted' }
  }
  let current: Awaited<ReturnType<typeof fixture>>

  it('asks first who is calling, then for the user header, then whether they may', async () => {
    current = await fixture()
    const user = await current.createUser()
    const { cookie } = (await current.loggedIn(user)) as { cookie: string }
    const id = String(user.id)
    expect(await guarded({})).toEqual({ status: 401, code: 'not_logged_in' })
    expect(await guarded({ cookie: 'session=nonsense' })).toEqual({ status: 401, code: 'not_logged_in' })
    expect(await guarded({ authorization: 'Bearer wrong' })).toEqual({
      status: 200,
      code: 'access_token_invalid',
    })
    expect(await guarded({ cookie })).toEqual({ status: 401, code: 'user_header_missing' })
    for (const wrong of ['x', '-1', `${id}.0`, String(user.id + 1)]) {
      expect(await guarded({ cookie, 'new-api-user': wrong })).toEqual({
        status: 401,
        code: 'user_header_mismatch',
      })
    }
    expect(await guarded({ cookie, 'New-API-User': id })).toEqual({ status: 200, code: 'admitted' })
    expect(await guarded({ cookie, 'new-api-user': id }, '/api/user/1')).toEqual({
      status: 200,
      code: 'permission_denied',
    })
  })

  it('sees a ban, a new role and a deletion in the next call of a session that is open', async () => {
    current = await fixture()
    const user = await current.createUser()
    const headers = await current.loggedIn(user)
    const change = async (fields: Parameters<typeof current.store.users.update>[1]) => {
      await current.store.users.update(user.id, fields)
      current.bus.publish('user-changed', { id: user.id })
    }
    expect((await guarded(headers)).code).toBe('admitted')
    await change({ status: 'banned' })
    expect(await guarded(headers)).toEqual({ status: 200, code: 'user_banned' })
    await change({ status: 'enabled', role: 'admin' })
    expect((await guarded(headers, `/api/user/${user.id}`)).code).toBe('admitted')
    await change({ deletedAt: 1 })
    expect(await guarded(headers)).toEqual({ status: 401, code: 'not_logged_in' })
  })

  it('admits a system access token, bare or as bearer, but not to calls that need a session', async () => {
    current = await fixture()
    const { accessTokenOf, createUser } = current
    const user = await createUser()
    const token = await accessTokenOf(user)
    const id = { 'new-api-user': String(user.id) }
    expect((await guarded({ ...id, authorization: `Bearer ${token}` })).code).toBe('admitted')
    expect((await guarded({ ...id, authorization: token })).code).toBe('admitted')
    expect((await guarded({ authorization: token })).code).toBe('admitted')
    const another = { 'new-api-user': String(user.id + 1), authorization: token }
    expect(await guarded(another)).toEqual({ status: 401, code: 'user_header_mismatch' })
    expect((await guarded({ 'new-api-user': '', authorization: token })).code).toBe('user_header_missing')
    expect((await guarded({ ...id, authorization: token }, '/api/only')).code).toBe('session_required')
    await accessTokenOf(user)
    expect((await guarded({ ...id, authorization: token })).code).toBe('access_token_invalid')
  })

  it('prefers the session and does not look at the access token beside it', async () => {
    current = await fixture()
    const headers = await current.loggedIn(await current.createUser())
    expect((await guarded({ ...headers, authorization: 'Bearer wrong' })).code).toBe('admitted')
  })

  it('refuses everyone before setup', async () => {
    current = await fixture({ fresh: true })
    const headers = await current.loggedIn(await current.createUser({ role: 'root' }))
    expect(await guarded(headers)).toEqual({ status: 401, code: 'not_logged_in' })
  })

  it('tells public calls who has a session, without asking for the user header', async () => {
    current = await fixture()
    const user = await current.createUser()
    const { cookie } = (await current.loggedIn(user)) as { cookie: string }
    const who = async (headers: Record<string, string>) =>
      (await current.send('GET', '/api/who', { headers })).envelope.data
    expect(await who({ cookie })).toBe(user.username)
    expect(await who({})).toBeNull()
    expect(await who({ authorization: 'Bearer wrong' })).toBeNull()
  })

  it('serves public calls, and returns 503 for the others, while the database does not respond', async () => {
    current = await fixture()
    const headers = await current.loggedIn(await current.createUser())
    current.store.sessions.find = async () => {
      throw new Error('connection refused')
    }
    expect((await current.send('GET', '/api/timed', { headers })).status).toBe(200)
    expect(await guarded(headers)).toEqual({ status: 503, code: 'database_unavailable' })
  })
})

describe('a public call that changes something', () => {
  it('is refused when another site started it', async () => {
    const { send } = await fixture()
    const post = async (headers: Record<string, string>) =>
      (await send('POST', '/api/echo/1', { body: { amount: 1 }, headers })).envelope.code
    expect(await post({ origin: 'https://evil.test' })).toBe('foreign_origin')
    expect(await post({ 'sec-fetch-site': 'cross-site' })).toBe('foreign_origin')
    expect(await post({ origin: 'http://localhost', host: 'localhost' })).toBeUndefined()
  })
})

afterAll(closeTestStores)

const password = 'correct horse'
const passwordHash = await quickPasswords.hash(password)
const tenMinutes = 600_000

/** Calls that change how an account is opened or make money, and what is sent so that they do. */
const guarded: readonly Call[] = allCalls.filter((call) => {
  const condition = proofConditionOf(call)
  // What a handler finds is tried beside it.
  return condition !== undefined && !(typeof condition === 'object' && 'forEffect' in condition)
})

function bodyOf(call: Call): object {
  const { path } = call
  const condition = proofConditionOf(call)
  if (typeof condition === 'object' && 'byOption' in condition) {
    const option = { key: 'ServerAddress', value: 'https://evil.example' }
    return path.endsWith('/batch') ? { options: [option] } : option
  }
  const { forField: field, forValues = ['a new password'] } =
    typeof condition === 'object' && !('forEffect' in condition) ? condition : {}
  const credential = { id: 'a', rawId: 'a', type: 'public-key', response: {} }
  const fields = path.endsWith('/passkeys')
    ? { credential }
    : {
        id: 1,
        ids: [1],
        trade_no: 'USR1NO1',
        from: 2,
        parts: [],
        money: '1',
        refunded_money: '0',
        reason: 'paid back',
      }
  if (path.endsWith('/telegram/bind')) return {}
  return { ...fields, ...(field !== undefined && { [field]: forValues[0] }) }
}

async function withAnn({ role = 'admin', ...options }: FixtureOptions & { readonly role?: Role } = {}) {
  const fixture = await consoleFixture(options)
  const email = `${unique('ann')}@example.com`
  const ann = await fixture.createUser({ username: unique('ann'), role, passwordHash, email })
  const browser = openBrowser(fixture)
  browser.userId = ann.id
  browser.cookies.set('session', await fixture.sessionOf(ann))
  const codeOf = async (method: string, path: string, body?: unknown) =>
    (await browser.send(method, path, body)).envelope.code ?? 'done'
  const grownOld = () => {
    fixture.time.ms += tenMinutes + 1000
  }
  const token = () => codeOf('POST', '/api/user/token')
  return { ...fixture, ann, browser, codeOf, grownOld, token }
}

/** A refusal of a call that responds with content has a status and a sentence alone. */
const isContent = ({ response = 'envelope' }: Call) => ['redirect', 'stream'].includes(response)
const refusalBy = (call: Call, code: string) => (isContent(call) ? 403 : code)
const refusalIn = (call: Call, { status, envelope }: Responded) => (isContent(call) ? status : envelope.code)

interface Responded {
  readonly status: number
  readonly envelope: { readonly code?: string }
}

describe('a recent proof', () => {
  it('is asked for by every call that changes how an account is opened or makes money, of sessions as of programs', async () => {
    // Some routes need more than this fixture has; the guard stands before them.
    const served = new Set((await consoleFixture()).routes.map(({ call }) => call))
    const routes = guarded.filter((call) => !served.has(call)).map(standIn)
    const { browser, grownOld, accessTokenOf, ann, send } = await withAnn({ routes, role: 'root' })
    expect(guarded.length).toBeGreaterThan(20)
    grownOld()
    const authorization = `Bearer ${await accessTokenOf(ann)}`
    const program = { authorization, 'new-api-user': String(ann.id) }
    for (const call of guarded) {
      const path = call.path.replace(':provider', 'github').replace(/:\w+/g, '1')
      const body = call.method === 'GET' || call.method === 'DELETE' ? undefined : bodyOf(call)
      const bySession = await browser.send(call.method, path, body)
      expect([path, refusalIn(call, bySession)]).toEqual([path, refusalBy(call, 'recent_proof_required')])
      if (call.access === 'public' || call.response === 'redirect') continue
      const byProgram = await send(call.method, path, { headers: program, ...(body && { body }) })
      expect([path, refusalIn(call, byProgram)]).toEqual([path, refusalBy(call, 'session_required')])
    }
  })

  it('is a log-in for ten minutes', async () => {
    const { token, time } = await withAnn()
    time.ms += tenMinutes
    expect(await token()).toBe('done')
    time.ms += 1000
    expect(await token()).toBe('recent_proof_required')
  })

  it('says what to do, in the language of its visitor', async () => {
    const { browser, grownOld } = await withAnn()
    grownOld()
    const { envelope } = await browser.send('POST', '/api/user/token', undefined, { 'accept-language': 'zh' })
    expect(envelope.message).toContain('10 分钟')
  })

  it('is given by the password, for this session alone, and not by a wrong one', async () => {
    const { token, codeOf, grownOld, browser, loggedIn, ann, send } = await withAnn()
    const elsewhere = await loggedIn(ann)
    grownOld()
    const wrong = { password: 'wrong horse' }
    expect(await codeOf('POST', '/api/user/self/proof/password', wrong)).toBe('password_wrong')
    expect(await token()).toBe('recent_proof_required')
    expect(await codeOf('POST', '/api/user/self/proof/password', { password })).toBe('done')
    expect(await token()).toBe('done')
    const { envelope } = await send('POST', '/api/user/token', { headers: elsewhere })
    expect(envelope.code).toBe('recent_proof_required')
    const { data } = (await browser.send('GET', '/api/user/self/proof')).envelope
    expect(data).toMatchObject({ password: true, code: false, passkey: false, providers: [] })
  })

  it('is given by a code of the second factor, once', async () => {
    const { token, codeOf, browser, grownOld, time } = await withAnn()
    const { envelope } = await browser.send('POST', '/api/user/self/2fa/begin')
    const totp = new TOTP({ secret: Secret.fromBase32((envelope.data as { secret: string }).secret) })
    const code = () => totp.generate({ timestamp: time.ms })
    expect(await codeOf('POST', '/api/user/self/2fa/confirm', { code: code() })).toBe('done')
    grownOld()
    const used = { code: code() }
    expect(await codeOf('POST', '/api/user/self/proof/code', used)).toBe('done')
    expect(await token()).toBe('done')
    expect(await codeOf('POST', '/api/user/self/proof/code', used)).toBe('second_factor_wrong')
    grownOld()
    expect(await codeOf('POST', '/api/user/self/2fa/disable', { code: code() })).toBe('done')
  })

  it('is given by a passkey of one’s own, and by no other', async () => {
    const { token, codeOf, browser, grownOld } = await withAnn()
    const here = { origin: 'https://console.example', rpId: 'console.example' }
    const challenge = async (path: string) =>
      ((await browser.send('POST', path)).envelope.data as { challenge: string }).challenge
    const device = createSoftwareAuthenticator()
    const made = device.create({ challenge: await challenge('/api/user/self/passkeys/options'), ...here })
    expect(await codeOf('POST', '/api/user/self/passkeys', { name: 'Laptop', credential: made })).toBe('done')
    grownOld()
    const prove = async (by: typeof device, path = '/api/user/self/proof/passkey/options') => {
      const credential = by.get({ challenge: await challenge(path), ...here })
      return codeOf('POST', '/api/user/self/proof/passkey', { credential })
    }
    expect(await prove(createSoftwareAuthenticator())).toBe('passkey_invalid')
    expect(await prove(device, '/api/user/login/passkey/options')).toBe('passkey_invalid')
    expect(await token()).toBe('recent_proof_required')
    expect(await prove(device)).toBe('done')
    expect(await token()).toBe('done')
  })

  it('is not given while passwords are off, and guesses are counted', async () => {
    const { codeOf, settings, browser } = await withAnn({ limits: { CRITICAL_RATE_LIMIT: 2 } })
    const guess = async () =>
      (await browser.send('POST', '/api/user/self/proof/password', { password: 'guess' })).status
    expect([await guess(), await guess(), await guess()]).toEqual([200, 200, 429])
    await settings.set('PasswordLoginEnabled', 'false')
    const { data } = (await browser.send('GET', '/api/user/self/proof')).envelope
    expect(data).toMatchObject({ password: false })
    expect(await codeOf('POST', '/api/user/self/proof/password', { password })).not.toBe('done')
  })
})

describe('the owner of an account', () => {
  it('mails the earlier address about each change: what, when and from where', async () => {
    const { codeOf, ann, mails, users } = await withAnn()
    const fresh = `${unique('new')}@example.com`
    const code = await users.emailCodes.issue({ email: fresh, userId: ann.id })
    expect(await codeOf('POST', '/api/oauth/email/bind', { email: fresh, code })).toBe('done')
    expect(await codeOf('POST', '/api/user/token')).toBe('done')
    expect(await codeOf('DELETE', '/api/user/self/binding/email')).toBe('done')
    expect(await codeOf('PUT', '/api/user/self', { password: 'a new password' })).toBe('done')
    expect(mails.map(({ to }) => to)).toEqual([ann.email, fresh, fresh])
    expect(mails.map(({ subject }) => subject.replace(/^.*: /, ''))).toEqual([
      'The e-mail address was changed',
      'A new system access token was made',
      'A bound account or the e-mail address was removed',
    ])
    expect(mails[0]?.html).toContain('192.0.2.1')
    expect(mails[0]?.html).toContain('2027-01-15T08:00:00.000Z')
  })

  it('mails nothing about refused changes, or about those that open nothing', async () => {
    const { codeOf, mails } = await withAnn()
    expect(await codeOf('PUT', '/api/user/self', { display_name: 'Ann' })).toBe('done')
    expect(await codeOf('PUT', '/api/user/self', { password: 'short' })).toBe('password_short')
    expect(await codeOf('POST', '/api/user/self/2fa/begin')).toBe('done')
    expect(mails).toEqual([])
  })

  it('mails what an administrator set', async () => {
    const { codeOf, createUser, mails } = await withAnn()
    const email = `${unique('bob')}@example.com`
    const { id } = await createUser({ email })
    expect(await codeOf('PUT', '/api/user/', { id, password: 'a new password' })).toBe('done')
    expect(mails).toMatchObject([{ to: email }])
  })

  it('is not told where no mail server is set up, and a mail that fails fails nothing', async () => {
    const send = () => Promise.reject(new Error('connection refused'))
    for (const isConfigured of [false, true]) {
      const { token } = await withAnn({ mailer: { isConfigured, lastFailure: undefined, send } })
      expect(await token()).toBe('done')
    }
  })
})

describe('what opens an account', () => {
  /** Everything that waits or is open, and what became of it. */
  async function open() {
    const here = await withAnn()
    const { ann, users, accessTokenOf, sessionOf, loggedIn, send, store } = here
    const authorization = `Bearer ${await accessTokenOf(ann)}`
    const program = { authorization, 'new-api-user': String(ann.id) }
    const elsewhere = await loggedIn(ann)
    const address = `${unique('new')}@example.com`
    const code = await users.emailCodes.issue({ email: address, userId: ann.id })
    await users.secondFactors.begin({ user: await users.getUser(ann.id), sessionId: await sessionOf(ann) })
    const now = Math.floor(here.time.ms / 1000)
    const left = async () => ({
      program: (await send('GET', '/api/user/self', { headers: program })).envelope.success,
      elsewhere: (await send('GET', '/api/user/self', { headers: elsewhere })).envelope.success,
      mailedCode: await users.emailCodes.redeem({ email: address, userId: ann.id }, code).then(
        () => true,
        () => false,
      ),
      secondFactor:
        (await store.oneTimeSecrets.attempt('second-factor-begun', String(ann.id), now, 99)) !== undefined,
    })
    return { ...here, left }
  }
  const nothing = { program: false, elsewhere: false, mailedCode: false, secondFactor: false }

  it('is there until then', async () => {
    const { left } = await open()
    expect(Object.values(await left())).toEqual([true, true, true, true])
  })

  it('ends with a new password, but for the session that set it', async () => {
    const { codeOf, left } = await open()
    expect(await codeOf('PUT', '/api/user/self', { password: 'a new password' })).toBe('done')
    expect(await left()).toEqual(nothing)
    expect(await codeOf('GET', '/api/user/self')).toBe('done')
  })

  it('ends when the account is closed', async () => {
    const { codeOf, left } = await open()
    expect(await codeOf('DELETE', '/api/user/self')).toBe('done')
    expect(await left()).toEqual(nothing)
  })

  it.each([
    ['POST', '/api/user/manage', { action: 'disable' }],
    ['POST', '/api/user/manage', { action: 'delete' }],
    ['PUT', '/api/user/', { password: 'a new password' }],
  ])('ends by an administrator: %s %s %p', async (method, path, body) => {
    const { send, createUser, loggedIn, ann, left } = await open()
    const headers = await loggedIn(await createUser({ role: 'root' }))
    const done = await send(method, path, { headers, body: { id: ann.id, ...body } })
    expect(done.envelope.success).toBe(true)
    expect(await left()).toEqual(nothing)
  })

  it('ends for good: a ban that is lifted brings no access token back', async () => {
    const { send, createUser, loggedIn, ann, left } = await open()
    const headers = await loggedIn(await createUser({ role: 'root' }))
    for (const action of ['disable', 'enable'])
      await send('POST', '/api/user/manage', { headers, body: { id: ann.id, action } })
    expect(await left()).toEqual(nothing)
  })

  it('ends half-way through a log-in: what the old password began is not finished', async () => {
    const { store, codeOf, browser, time, send, ann } = await withAnn()
    const { envelope } = await browser.send('POST', '/api/user/self/2fa/begin')
    const totp = new TOTP({ secret: Secret.fromBase32((envelope.data as { secret: string }).secret) })
    const code = () => totp.generate({ timestamp: time.ms })
    await codeOf('POST', '/api/user/self/2fa/confirm', { code: code() })
    time.ms += 30_000
    const started = await send('POST', '/api/user/login', { body: { username: ann.username, password } })
    const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(await codeOf('PUT', '/api/user/self', { password: 'a new password' })).toBe('done')
    const ended = await send('POST', '/api/user/login/2fa', { headers: { cookie }, body: { code: code() } })
    expect(ended.envelope.code).toBe('login_expired')
    expect(await store.secondFactors.find(ann.id)).toBeDefined()
  })
})

describe('a view of the console as a user', () => {
  async function viewing(role: Role = 'admin') {
    const world = await withAnn({ role })
    const bob = await world.createUser({ username: unique('bob') })
    const own: Record<string, string> = await world.loggedIn(world.ann)
    const asBob: Record<string, string> = { ...own, 'new-api-user': String(bob.id) }
    const ask = async (method: string, path: string, headers = asBob, body?: unknown) =>
      (await world.send(method, path, { headers, ...(body !== undefined && { body }) })).envelope
    const start = () => ask('POST', `/api/user/${bob.id}/view`, own)
    const audited = async () => {
      const { rows } = await world.store.auditLog.page(
        { targetKind: 'user', targetId: bob.id },
        { offset: 0, limit: 9 },
      )
      return rows.map(({ action, actorName }) => [action, actorName])
    }
    return { ...world, bob, own, ask, start, audited }
  }

  it('reads what the user reads beside the administrator’s own session, for half an hour and in records', async () => {
    const { ask, own, bob, ann, start, time, store, users, audited } = await viewing()
    expect((await ask('GET', '/api/user/self')).code).toBe('user_header_mismatch')
    expect((await start()).data).toMatchObject({ user: { id: bob.id, username: bob.username } })
    expect((await ask('GET', '/api/user/self')).data).toMatchObject({ username: bob.username })
    expect((await ask('GET', '/api/user/self', own)).data).toMatchObject({ username: ann.username })
    const { rows } = await store.securityEvents.page({ userIds: [bob.id] }, { offset: 0, limit: 9 })
    expect(rows.filter(({ kind }) => kind === 'viewed')).toMatchObject([{ detail: ann.username }])
    time.ms += 30 * 60_000
    expect((await ask('GET', '/api/user/self')).code).toBe('user_header_mismatch')
    await users.views.endOver()
    await users.views.endOver()
    expect(await audited()).toEqual([
      ['user.view-end', ann.username],
      ['user.view-start', ann.username],
    ])
  })

  it('is refused every call that acts, whatever its door, and leaves the session as it is', async () => {
    const served = new Set((await consoleFixture()).routes.map(({ call }) => call))
    const routes = allCalls.filter((call) => !served.has(call)).map(standIn)
    const world = await withAnn({ routes, role: 'root' })
    const bob = await world.createUser({ role: 'admin' })
    const own = await world.loggedIn(world.ann)
    await world.send('POST', `/api/user/${bob.id}/view`, { headers: own })
    const headers = { ...own, 'new-api-user': String(bob.id) }
    const acting = allCalls.filter(
      (call) => acts(call) && !['signature', 'relay-key'].includes(call.access) && !call.cookieOnly,
    )
    expect(acting.length).toBeGreaterThan(80)
    for (const call of acting) {
      const path = call.path.replace(':provider', 'github').replace(/:\w+/g, '1')
      const response = await world.send(call.method, path, {
        headers,
        ...(!['GET', 'DELETE'].includes(call.method) && { body: {} }),
      })
      const isContent = call.data === undefined
      const seen = isContent ? response.status >= 300 : response.envelope.code
      expect([path, seen]).toEqual([path, isContent ? true : 'view_read_only'])
    }
    expect((await world.send('GET', '/api/user/self', { headers: own })).envelope.success).toBe(true)
  })

  it('shows no secret of the user', async () => {
    const { ask, bob, start, createKey } = await viewing()
    const key = await createKey(bob)
    await start()
    const { data } = await ask('GET', '/api/token/?p=0&size=10')
    expect(data).toHaveLength(1)
    expect(JSON.stringify(data)).not.toContain(key.slice(3))
  })

  it('is of users of lower rank, and ends with the rank, on demand, and with the session', async () => {
    const { ask, own, bob, ann, start, store, bus, audited, users } = await viewing()
    const peer = await store.users.update(bob.id, { role: 'admin' })
    bus.publish('user-changed', { id: bob.id })
    expect((await start()).code).toBe('user_rank_too_high')
    expect(peer?.role).toBe('admin')
    await store.users.update(bob.id, { role: 'common' })
    bus.publish('user-changed', { id: bob.id })
    await start()
    expect((await ask('GET', '/api/user/self')).success).toBe(true)
    await store.users.update(ann.id, { adminParts: 'log' })
    bus.publish('user-changed', { id: ann.id })
    expect((await ask('GET', '/api/user/self')).code).toBe('user_header_mismatch')
    await store.users.update(ann.id, { adminParts: '' })
    bus.publish('user-changed', { id: ann.id })
    expect((await ask('POST', `/api/user/${bob.id}/view/end`, own)).success).toBe(true)
    expect((await ask('GET', '/api/user/self')).code).toBe('user_header_mismatch')
    await start()
    await store.sessions.deleteOfUser(ann.id)
    await users.views.endOver()
    expect((await audited()).map(([action]) => action)).toEqual([
      ...['user.view-end', 'user.view-start', 'user.view-end', 'user.view-start'],
    ])
  })
})
