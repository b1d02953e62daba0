import { afterAll, describe, expect, it } from 'bun:test'
import type { Mail } from '../../../accounts/mail/mailer.ts'
import { reasonAgainstAddress } from '../../../accounts/users/email-verification.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { unique } from '../../../store/contract/samples.ts'
import { type ConsoleFixture, consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const password = 'correct horse'

async function setUp(options: FixtureOptions = {}) {
  const fixture = await consoleFixture(options)
  const username = unique('ann')
  const register = (change: object = {}, headers: Record<string, string> = {}) =>
    fixture.send('POST', '/api/user/register', { body: { username, password, ...change }, headers })
  const codeOf = async (change: object = {}) => (await register(change)).envelope.code ?? 'registered'
  const stored = () => fixture.store.users.findByLogin(username)
  return { ...fixture, username, register, codeOf, stored }
}

function askForCode({ send }: Pick<ConsoleFixture, 'send'>, email: string, headers = {}) {
  return send('GET', `/api/verification?email=${encodeURIComponent(email)}`, { headers })
}

function codeIn(mail: Mail | undefined): string {
  return />([\da-f]{6})<\/strong>/.exec(mail?.html ?? '')?.[1] ?? ''
}

describe('registration', () => {
  it('opens an account that can log in, with nothing that the form claims beyond name and password', async () => {
    const { register, send, username, stored } = await setUp()
    const claims = { role: 100, quota: 1e9, group: 'vip', status: 2, id: 1, access_token: 'x' }
    const { status, headers, envelope } = await register({ ...claims, email: 'ann@example.com' })
    expect([status, envelope]).toEqual([200, { success: true, message: '' }])
    expect(headers.get('set-cookie')).toBeNull()
    expect(await stored()).toMatchObject({
      displayName: username,
      role: 'common',
      status: 'enabled',
      group: 'default',
      quota: 0,
      email: '',
      inviterId: 0,
      accessTokenHash: '',
      affCode: expect.stringMatching(/^\w{8}$/),
      passwordHash: expect.stringMatching(/^\$argon2id\$/),
    })
    const login = await send('POST', '/api/user/login', { body: { username, password } })
    expect(login.envelope.success).toBe(true)
  })

  it.each([
    ['registration_disabled', { RegisterEnabled: 'false' }],
    ['password_registration_disabled', { PasswordRegisterEnabled: 'false' }],
  ])('can be switched off: %s', async (code, settings) => {
    const { codeOf, stored } = await setUp({ settings })
    expect(await codeOf()).toBe(code)
    expect(await stored()).toBeUndefined()
  })

  it('waits for the first-run setup', async () => {
    expect(await (await setUp({ fresh: true })).codeOf()).toBe('setup_required')
  })

  it.each([
    ['credentials_missing', { username: '' }],
    ['credentials_missing', { username: '  ' }],
    ['credentials_missing', { password: '' }],
    ['credentials_missing', { username: null, password: null }],
    ['username_invalid', { username: ' ann' }],
    ['username_invalid', { username: 'a'.repeat(33) }],
    ['username_invalid', { username: 'a\u202eb' }],
    ['username_is_address', { username: 'somebody@example.com' }],
    ['password_short', { password: 'seven77' }],
    ['password_too_long', { password: 'x'.repeat(129) }],
    ['password_mismatch', { password2: 'correct house' }],
    ['password_mismatch', { password2: '' }],
    ['invalid_parameter', { username: 5 }],
    ['invalid_parameter', { aff_code: {} }],
  ])('refuses %s: %p', async (code, change) => {
    const { codeOf, stored } = await setUp()
    expect(await codeOf(change)).toBe(code)
    expect(await stored()).toBeUndefined()
  })

  it('takes the password twice, and fields that a browser never kept', async () => {
    const { codeOf } = await setUp()
    expect(await codeOf({ password2: password, aff_code: null, email: '', verification_code: '' })).toBe(
      'registered',
    )
  })

  it('gives a name once, also when its owner is gone', async () => {
    const { codeOf, stored, store } = await setUp()
    expect(await codeOf()).toBe('registered')
    expect(await codeOf()).toBe('username_taken')
    await store.users.update((await stored())?.id ?? 0, { deletedAt: 1 })
    expect(await codeOf()).toBe('username_taken')
  })

  it('of one name by many at once has one winner', async () => {
    const { codeOf } = await setUp()
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => codeOf()))
    expect(outcomes.toSorted()).toEqual(['registered', ...Array(7).fill('username_taken')].toSorted())
  })

  it('gives newcomer and inviter what the operator promises, and ignores a code of nobody', async () => {
    const settings = { QuotaForNewUser: '100', QuotaForInvitee: '20', QuotaForInviter: '3' }
    const { register, createUser, store, stored } = await setUp({ settings })
    const inviter = await createUser({ affCode: unique('code') })
    await register({ aff_code: inviter.affCode })
    const newcomer = await stored()
    expect(newcomer).toMatchObject({ quota: 120, inviterId: inviter.id })
    expect(await store.users.find(inviter.id)).toMatchObject({
      affCount: 1,
      affQuota: 3,
      affHistoryQuota: 3,
      quota: 0,
    })
    const username = unique('uninvited')
    await register({ username, aff_code: 'nobody has this' })
    expect(await store.users.findByLogin(username)).toMatchObject({ quota: 100, inviterId: 0 })
  })

  it('comes with an unlimited key when the operator wants it, whatever the length of the name', async () => {
    const { codeOf, store } = await setUp({ firstKeys: true })
    const username = unique('a-long-name').padEnd(32, '安')
    expect(await codeOf({ username })).toBe('registered')
    const { id = 0 } = (await store.users.findByLogin(username)) ?? {}
    const page = { sort: 'id', descending: true, offset: 0, limit: 9 } as const
    expect((await store.tokens.pageOwn(id, {}, page)).rows).toMatchObject([
      {
        name: `${username.slice(0, 14)}’s initial token`,
        unlimitedQuota: true,
        remainQuota: 500_000,
        expiresAt: null,
      },
    ])
  })

  it('is limited per address, however well it goes', async () => {
    const { register } = await setUp({ limits: { CRITICAL_RATE_LIMIT: 3 } })
    const statuses: number[] = []
    for (let each = 0; each < 4; each += 1)
      statuses.push((await register({ username: unique('many') })).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('is not made by other sites in a visitor’s browser', async () => {
    const { register } = await setUp()
    expect((await register({}, { 'sec-fetch-site': 'cross-site' })).envelope.code).toBe('foreign_origin')
  })
})

describe('registration with verified addresses', () => {
  const settings = { EmailVerificationEnabled: 'true', SystemName: 'Gate' }
  const newEmail = () => `${unique('Ann')}@example.com`

  it('stores the address that a mailed code proves, once', async () => {
    const fixture = await setUp({ settings })
    const email = newEmail()
    expect((await askForCode(fixture, email)).envelope).toEqual({ success: true, message: '' })
    const verification_code = codeIn(fixture.mails[0])
    expect(fixture.mails[0]?.to).toBe(email)
    expect(await fixture.codeOf({ email, verification_code })).toBe('registered')
    expect((await fixture.stored())?.email).toBe(email)
    const again = { username: unique('bob'), email, verification_code }
    expect(await fixture.codeOf(again)).toBe('verification_code_wrong')
  })

  it('asks for address and code', async () => {
    const { codeOf } = await setUp({ settings })
    for (const change of [{}, { email: newEmail() }, { verification_code: 'abcdef' }])
      expect(await codeOf(change)).toBe('email_and_code_required')
    expect(await codeOf({ email: 'a@b.de;c@d.de', verification_code: 'abcdef' })).toBe('email_invalid')
  })

  it('asks for them where domains are restricted, although an older installation never verified any', async () => {
    const fixture = await setUp({
      settings: { EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'example.com' },
    })
    expect(await fixture.codeOf()).toBe('email_and_code_required')
    expect(await fixture.codeOf({ email: 'ann@example.net', verification_code: 'abcdef' })).toBe(
      'email_domain_not_allowed',
    )
    expect(await fixture.stored()).toBeUndefined()
    const email = newEmail()
    await askForCode(fixture, email)
    expect(await fixture.codeOf({ email, verification_code: codeIn(fixture.mails[0]) })).toBe('registered')
  })

  it('invalidates a code after five wrong tries', async () => {
    const fixture = await setUp({ settings })
    const email = newEmail()
    await askForCode(fixture, email)
    const right = codeIn(fixture.mails[0])
    for (let guess = 0; guess < 5; guess += 1)
      expect(await fixture.codeOf({ email, verification_code: `00000${guess}` })).toBe(
        'verification_code_wrong',
      )
    expect(await fixture.codeOf({ email, verification_code: right })).toBe('verification_code_wrong')
  })

  it('forgets a code after ten minutes, and when there is a newer one', async () => {
    const fixture = await setUp({ settings })
    const [email, other] = [newEmail(), newEmail()]
    await askForCode(fixture, email)
    await askForCode(fixture, email)
    const [first, second] = fixture.mails.map(codeIn)
    expect(await fixture.codeOf({ email, verification_code: first })).toBe('verification_code_wrong')
    expect(await fixture.codeOf({ email: other, verification_code: second })).toBe('verification_code_wrong')
    fixture.time.ms += 600_000
    expect(await fixture.codeOf({ email, verification_code: second })).toBe('verification_code_wrong')
  })

  it('does not use a code up for a name that is taken', async () => {
    const fixture = await setUp({ settings })
    const taken = await fixture.createUser()
    const email = newEmail()
    await askForCode(fixture, email)
    const proof = { email, verification_code: codeIn(fixture.mails[0]).toUpperCase() }
    expect(await fixture.codeOf({ ...proof, username: taken.username })).toBe('username_taken')
    expect(await fixture.codeOf(proof)).toBe('registered')
  })

  it('lets one use a code, however many try at once', async () => {
    const fixture = await setUp({ settings })
    const email = newEmail()
    await askForCode(fixture, email)
    const verification_code = codeIn(fixture.mails[0])
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => fixture.codeOf({ username: unique('race'), email, verification_code })),
    )
    expect(outcomes.filter((code) => code === 'registered')).toHaveLength(1)
  })

  it('takes a username that is the proven address, and no other', async () => {
    const fixture = await setUp({ settings })
    const email = newEmail()
    await askForCode(fixture, email)
    const proof = { email, verification_code: codeIn(fixture.mails[0]) }
    expect(await fixture.codeOf({ ...proof, username: `x${email}` })).toBe('username_is_address')
    expect(await fixture.codeOf({ ...proof, username: email })).toBe('registered')
  })

  it('stores no code that could be used if the database leaked', async () => {
    const fixture = await setUp({ settings })
    const email = newEmail()
    await askForCode(fixture, email)
    const retained = await fixture.store.oneTimeSecrets.attempt(
      'verify-email',
      `new ${email.toLowerCase()}`,
      0,
      99,
    )
    expect(JSON.stringify(retained)).not.toContain(codeIn(fixture.mails[0]))
  })
})

describe('a verification code', () => {
  it('is mailed in the language that the visitor reads', async () => {
    const fixture = await setUp({ settings: { SystemName: 'Gate' } })
    await askForCode(fixture, 'lang@example.com')
    await askForCode(fixture, 'lang@example.com', { 'accept-language': 'zh-CN,zh;q=0.9' })
    expect(fixture.mails.map(({ subject }) => subject)).toEqual([
      'Gate: your verification code',
      'Gate邮箱验证邮件',
    ])
  })

  it('is not mailed to an address in use: its owner receives a notice, and the caller learns nothing', async () => {
    const fixture = await setUp()
    const [owner, gone] = [
      await fixture.createUser({ email: `${unique('owner')}@example.com` }),
      await fixture.createUser({ email: `${unique('gone')}@example.com` }),
    ]
    await fixture.store.users.update(gone.id, { deletedAt: 1 })
    const free = await askForCode(fixture, 'free@example.com')
    for (const { email } of [owner, gone]) {
      const { status, envelope } = await askForCode(fixture, email.toUpperCase())
      expect([status, envelope]).toEqual([free.status, free.envelope])
    }
    expect(fixture.mails.map(codeIn)).toEqual([expect.stringMatching(/^.{6}$/), '', ''])
    expect(fixture.mails[1]).toMatchObject({ to: owner.email })
  })

  it('of a logged-in user is valid for their account alone', async () => {
    const fixture = await setUp({ settings: { EmailVerificationEnabled: 'true' } })
    const headers = await fixture.loggedIn(await fixture.createUser())
    const email = 'bind@example.com'
    await askForCode(fixture, email, headers)
    const verification_code = codeIn(fixture.mails[0])
    expect(await fixture.codeOf({ email, verification_code })).toBe('verification_code_wrong')
  })

  it.each([
    ['email_invalid', '', {}],
    ['email_invalid', 'ann@example.com;bob@example.com', {}],
    ['email_invalid', 'ann@example.com\r\nbcc:bob@example.com', {}],
    ['email_domain_not_allowed', 'ann@example.com', { EmailDomainRestrictionEnabled: 'true' }],
    ['email_alias_not_allowed', 'ann+1@gmail.com', { EmailAliasRestrictionEnabled: 'true' }],
    ['email_alias_not_allowed', 'a.nn@gmail.com', { EmailAliasRestrictionEnabled: 'true' }],
  ])('is refused as %s: %p', async (code, email, settings) => {
    const fixture = await setUp({ settings })
    expect((await askForCode(fixture, email)).envelope.code).toBe(code)
    expect(fixture.mails).toEqual([])
  })

  it('is welcome by no entry that is no domain, as older lists may have them', () => {
    const settings = {
      EmailDomainRestrictionEnabled: true,
      EmailDomainWhitelist: ['@example.com', ''],
      EmailAliasRestrictionEnabled: false,
    }
    for (const address of ['', 'ann@example.com', 'ann@'])
      expect(reasonAgainstAddress(address, settings)).toBe('email_domain_not_allowed')
  })

  it('reaches a listed domain whatever its case', async () => {
    const fixture = await setUp({
      settings: { EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'Example.com' },
    })
    expect((await askForCode(fixture, 'ann@EXAMPLE.com')).envelope.success).toBe(true)
  })

  it('does not flood an inbox, from any caller and address, under any alias', async () => {
    const fixture = await setUp()
    const codes: (string | undefined)[] = []
    for (let each = 0; each < 6; each += 1) {
      const { envelope } = await fixture.send('GET', `/api/verification?email=a.n.n%2B${each}@example.com`, {
        from: `192.0.2.${each + 10}`,
      })
      codes.push(envelope.code)
    }
    expect(codes).toEqual([...Array(5).fill(undefined), 'mail_too_often'])
    expect(fixture.mails).toHaveLength(5)
    expect((await askForCode(fixture, 'bob@example.com')).envelope.success).toBe(true)
  })

  it('needs a mail server', async () => {
    const fixture = await setUp({
      mailer: { isConfigured: false, lastFailure: undefined, send: () => Promise.reject() },
    })
    expect((await askForCode(fixture, 'ann@example.com')).envelope.code).toBe('mail_not_configured')
  })

  it('is not asked for by an image on another site', async () => {
    const fixture = await setUp()
    const { envelope } = await askForCode(fixture, 'ann@example.com', { 'sec-fetch-site': 'cross-site' })
    expect(envelope.code).toBe('foreign_origin')
    expect(fixture.mails).toEqual([])
  })
})

describe('the human check', () => {
  const turnstile = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) =>
      Response.json({ success: new URLSearchParams(await request.text()).get('response') === 'human' }),
  })
  afterAll(() => turnstile.stop(true))

  it('stands before registration, login, verification and reset, each time anew', async () => {
    const { send, username } = await setUp({
      settings: { TurnstileSiteKey: 'site', TurnstileSecretKey: 's', TurnstileCheckEnabled: 'true' },
      turnstileOrigin: `http://127.0.0.1:${turnstile.port}`,
    })
    const body = { username, password }
    const calls: readonly [string, string, object | undefined][] = [
      ['POST', '/api/user/register', body],
      ['POST', '/api/user/login', body],
      ['GET', '/api/verification', undefined],
      ['GET', '/api/reset_password', undefined],
    ]
    for (const [method, path, sent] of calls) {
      const codeWith = async (turnstileResponse: string) => {
        const query = `?email=${username}@example.com&turnstile=${turnstileResponse}`
        const { envelope } = await send(method, path + query, sent && { body: sent })
        return envelope.code
      }
      expect(await codeWith('')).toBe('human_check_missing')
      expect(await codeWith('robot')).toBe('human_check_failed')
      expect(await codeWith('human')).not.toStartWith('human_check')
      expect(await codeWith('')).toBe('human_check_missing')
    }
  })

  it('is not spent on a form that is wrong', async () => {
    const { codeOf } = await setUp({
      settings: { TurnstileSiteKey: 'site', TurnstileSecretKey: 's', TurnstileCheckEnabled: 'true' },
    })
    expect(await codeOf({ password: 'short' })).toBe('password_short')
  })
})
