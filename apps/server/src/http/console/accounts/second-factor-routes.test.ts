import { afterAll, describe, expect, it } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { openBrowser } from '../test-support/browser.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const password = 'correct horse'

async function withAnn() {
  const fixture = await consoleFixture({ ownStore: true })
  const ann = await fixture.createUser({ username: 'ann', passwordHash: await quickPasswords.hash(password) })
  const browser = openBrowser(fixture)
  browser.userId = ann.id
  browser.cookies.set('session', await fixture.sessionOf(ann))
  const call = async <Data>(path: string, body: object = {}) =>
    (await browser.send('POST', path, body)).envelope as unknown as { code?: string; data: Data }
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: fixture.time.ms })
  /** The next half minute: the code of this one was used. */
  const nextStep = () => {
    fixture.time.ms += 30_000
  }
  const enable = async () => {
    const { secret } = (await call<{ secret: string }>('/api/user/self/2fa/begin')).data
    const { data } = await call<{ recovery_codes: string[] }>('/api/user/self/2fa/confirm', {
      code: codeOf(secret),
    })
    nextStep()
    return { secret, recoveryCodes: data.recovery_codes }
  }
  const newcomer = () => {
    const other = openBrowser(fixture)
    const logIn = async () =>
      (await other.send('POST', '/api/user/login', { username: 'ann', password })).envelope
    const finish = async (code: string) =>
      (await other.send('POST', '/api/user/login/2fa', { code })).envelope
    return { other, logIn, finish }
  }
  return { ...fixture, ann, browser, call, codeOf, nextStep, enable, newcomer }
}

describe('setting up a second factor', () => {
  it('is on once a code of the new secret was seen, with ten recovery codes that are shown once', async () => {
    const { browser, call, codeOf, ann, store } = await withAnn()
    const status = async () => (await browser.send('GET', '/api/user/self/2fa')).envelope.data
    const started = await call<{ secret: string; uri: string }>('/api/user/self/2fa/begin')
    expect(started.data.uri).toStartWith('otpauth://totp/')
    expect(await status()).toEqual({ enabled: false, recovery_codes_left: 0 })
    expect((await call('/api/user/self/2fa/confirm', { code: '000000' })).code).toBe('second_factor_wrong')
    const done = await call<{ recovery_codes: string[] }>('/api/user/self/2fa/confirm', {
      code: codeOf(started.data.secret),
    })
    expect(new Set(done.data.recovery_codes).size).toBe(10)
    expect(done.data.recovery_codes[0]).toMatch(/^[a-z0-9]{5}-[a-z0-9]{5}$/)
    expect(await status()).toMatchObject({ enabled: true, recovery_codes_left: 10 })
    expect((await call('/api/user/self/2fa/begin')).code).toBe('second_factor_on')
    expect((await call('/api/user/self/2fa/confirm', { code: '000000' })).code).toBe('second_factor_on')
    const stored = await store.secondFactors.find(ann.id)
    expect(stored?.secretSealed).not.toContain(started.data.secret)
  })

  it('has to be begun', async () => {
    const { call, time } = await withAnn()
    expect((await call('/api/user/self/2fa/confirm', { code: '123456' })).code).toBe(
      'second_factor_not_begun',
    )
    await call('/api/user/self/2fa/begin')
    time.ms += 600_000
    expect((await call('/api/user/self/2fa/confirm', { code: '123456' })).code).toBe(
      'second_factor_not_begun',
    )
  })

  it('is for sessions alone: an access token cannot switch it off', async () => {
    const fixture = await withAnn()
    const token = await fixture.accessTokenOf(fixture.ann)
    const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(fixture.ann.id) }
    const self = await fixture.send('GET', '/api/user/self', { headers })
    expect(self.envelope.success).toBe(true)
    const off = await fixture.send('POST', '/api/user/self/2fa/disable', { headers, body: {} })
    expect(off.envelope.code).toBe('session_required')
  })

  it('is switched off, and gets new recovery codes, by a code', async () => {
    const { call, codeOf, nextStep, enable } = await withAnn()
    const { secret, recoveryCodes } = await enable()
    expect((await call('/api/user/self/2fa/recovery_codes', { code: 'wrong' })).code).toBe(
      'second_factor_wrong',
    )
    const renewed = await call<{ recovery_codes: string[] }>('/api/user/self/2fa/recovery_codes', {
      code: codeOf(secret),
    })
    nextStep()
    expect((await call('/api/user/self/2fa/disable', { code: recoveryCodes[0] })).code).toBe(
      'second_factor_wrong',
    )
    expect((await call('/api/user/self/2fa/disable', { code: renewed.data.recovery_codes[0] })).code).toBe(
      undefined,
    )
    expect((await call('/api/user/self/2fa/disable', { code: codeOf(secret) })).code).toBe(
      'second_factor_off',
    )
  })
})

describe('a second factor that was lost', () => {
  it('is switched off only by a user of higher rank than its owner, which is recorded', async () => {
    const { enable, ann, send, loggedIn, createUser, store } = await withAnn()
    await enable()
    const admin = await createUser({ role: 'admin' })
    const reset = async (by: { id: number }, of: { id: number }) =>
      (await send('DELETE', `/api/user/${of.id}/2fa`, { headers: await loggedIn(by) })).envelope.code ??
      'done'
    expect(await reset(ann, ann)).toBe('permission_denied')
    await store.users.update(ann.id, { role: 'admin' })
    expect(await reset(admin, ann)).toBe('permission_denied')
    await store.users.update(ann.id, { role: 'common' })
    expect(await reset(admin, admin)).toBe('permission_denied')
    expect(await reset(admin, ann)).toBe('done')
    expect(await reset(admin, ann)).toBe('second_factor_off')
    expect(await reset(admin, { id: 4711 })).toBe('record_not_found')
    const { rows } = await store.auditLog.page({}, { offset: 0, limit: 10 })
    expect(rows).toMatchObject([
      { action: 'user.reset-second-factor', actorId: admin.id, targetId: ann.id, actorRole: 'admin' },
    ])
  })
})

describe('a login with a second factor', () => {
  it('opens no session before the code, and needs both in one browser', async () => {
    const { enable, codeOf, newcomer, ann } = await withAnn()
    const { secret } = await enable()
    const { other, logIn, finish } = newcomer()
    expect((await logIn()).data).toEqual({ require_2fa: true })
    expect(other.cookies.has('session')).toBe(false)
    expect((await newcomer().finish(codeOf(secret))).code).toBe('login_expired')
    const { data } = await finish(codeOf(secret))
    expect(data).toMatchObject({ id: ann.id, username: 'ann' })
    other.userId = ann.id
    expect((await other.send('GET', '/api/user/self')).envelope.success).toBe(true)
    expect(other.cookies.has('login_challenge')).toBe(false)
  })

  it('takes each code once, also the one that switched it on, and none from before', async () => {
    const here = await withAnn()
    const { secret } = (await here.call<{ secret: string }>('/api/user/self/2fa/begin')).data
    const first = here.codeOf(secret)
    await here.call('/api/user/self/2fa/confirm', { code: first })
    const attempt = async (code: string) => {
      const { logIn, finish } = here.newcomer()
      await logIn()
      return (await finish(code)).code ?? 'in'
    }
    expect(await attempt(first)).toBe('second_factor_wrong')
    here.nextStep()
    const second = here.codeOf(secret)
    expect(await attempt(second)).toBe('in')
    expect(await attempt(second)).toBe('second_factor_wrong')
    expect(await attempt(first)).toBe('second_factor_wrong')
  })

  it('takes a recovery code once, however it is typed', async () => {
    const { enable, newcomer, browser } = await withAnn()
    const { recoveryCodes } = await enable()
    const [code = ''] = recoveryCodes
    const { logIn, finish } = newcomer()
    await logIn()
    expect((await finish(` ${code.replace('-', ' ').toUpperCase()} `)).success).toBe(true)
    await logIn()
    expect((await finish(code)).code).toBe('second_factor_wrong')
    expect((await browser.send('GET', '/api/user/self/2fa')).envelope.data).toMatchObject({
      recovery_codes_left: 9,
    })
  })

  it('allows five tries, and ten for each person within a quarter of an hour, from all addresses together', async () => {
    const { enable, codeOf, newcomer, time } = await withAnn()
    const { secret } = await enable()
    const { logIn, finish } = newcomer()
    for (let round = 0; round < 2; round += 1) {
      await logIn()
      for (let tries = 0; tries < 5; tries += 1)
        expect((await finish('000000')).code).toBe('second_factor_wrong')
      expect((await finish(codeOf(secret))).code).toBe('login_expired')
    }
    await logIn()
    expect((await finish(codeOf(secret))).code).toBe('second_factor_blocked')
    time.ms += 900_000
    await logIn()
    expect((await finish(codeOf(secret))).success).toBe(true)
  })

  it('ends after five minutes, and with a ban', async () => {
    const { enable, codeOf, newcomer, time, store, ann } = await withAnn()
    const { secret } = await enable()
    const { logIn, finish } = newcomer()
    await logIn()
    time.ms += 300_000
    expect((await finish(codeOf(secret))).code).toBe('login_expired')
    await logIn()
    await store.users.update(ann.id, { status: 'banned' })
    expect((await finish(codeOf(secret))).code).toBe('login_expired')
  })

  it('leaves one of two at once with a session', async () => {
    const { enable, codeOf, newcomer } = await withAnn()
    const { secret } = await enable()
    const { logIn, finish } = newcomer()
    await logIn()
    const both = await Promise.all([finish(codeOf(secret)), finish(codeOf(secret))])
    expect(both.filter(({ success }) => success)).toHaveLength(1)
  })
})
