import { afterAll, describe, expect, it } from 'bun:test'
import { quickPasswords } from '../../../accounts/users/test-support/quick-passwords.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { NewUser } from '../../../store/accounts/users.ts'
import { unique } from '../../../store/contract/samples.ts'
import { consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

const oldPassword = 'the old password'
const newPassword = 'the new password'
const oldHash = await quickPasswords.hash(oldPassword)

async function setUp(fields: Partial<NewUser> = {}, options: FixtureOptions = {}) {
  const fixture = await consoleFixture(options)
  const { id } = await fixture.createUser({ username: unique('ann'), passwordHash: oldHash, ...fields })
  const headers = await fixture.loggedIn({ id })
  const ann = await fixture.users.getUser(id)
  const call = async (method: string, path: string, body?: object, sent = headers) =>
    (await fixture.send(method, path, { headers: sent, ...(body && { body }) })).envelope
  const codeOf = async (...args: Parameters<typeof call>) => (await call(...args)).code ?? 'done'
  const isIn = async (sent: Record<string, string>) =>
    (await call('GET', '/api/user/self', undefined, sent)).success
  const stored = async () => (await fixture.store.users.find(ann.id)) ?? ann
  return { ...fixture, ann, headers, call, codeOf, isIn, stored }
}

describe('one’s own names', () => {
  it('change, and stay where a field is empty', async () => {
    const { codeOf, stored, ann } = await setUp()
    const username = unique('renamed')
    expect(await codeOf('PUT', '/api/user/self', { username, display_name: 'Ann Lee', password: '' })).toBe(
      'done',
    )
    expect(await stored()).toEqual({ ...ann, username, displayName: 'Ann Lee' })
    for (const body of [{}, { username: '', display_name: '', password: null }, { display_name: '  ' }])
      expect(await codeOf('PUT', '/api/user/self', body)).toBe('done')
    expect(await stored()).toEqual({ ...ann, username, displayName: 'Ann Lee' })
  })

  it('may be older than the rules while they stay', async () => {
    const displayName = 'x'.repeat(60)
    const { codeOf, ann, stored } = await setUp({ displayName })
    const form = { username: ann.username, display_name: displayName, password: '' }
    expect(await codeOf('PUT', '/api/user/self', form)).toBe('done')
    expect(await stored()).toEqual(ann)
  })

  it('change nothing else, whatever the body claims', async () => {
    const { codeOf, stored, ann } = await setUp()
    const claims = {
      id: 1,
      role: 100,
      status: 2,
      quota: 5,
      group: 'vip',
      setting: '{}',
    }
    expect(await codeOf('PUT', '/api/user/self', { ...claims, display_name: 'Ann' })).toBe('done')
    expect(await stored()).toEqual(ann)
  })

  it.each([
    ['username_invalid', { username: ' ann' }],
    ['username_invalid', { username: 'a'.repeat(33) }],
    ['username_is_address', { username: 'bob@example.com' }],
    ['display_name_invalid', { display_name: 'x'.repeat(33) }],
    ['display_name_invalid', { display_name: 'a\u202eb' }],
    ['password_short', { password: 'seven77', original_password: oldPassword }],
    ['password_too_long', { password: 'x'.repeat(129), original_password: oldPassword }],
    ['original_password_wrong', { password: newPassword, original_password: newPassword }],
    ['invalid_parameter', { display_name: 7 }],
  ])('are refused as %s: %p', async (code, body) => {
    const { codeOf, stored, ann } = await setUp()
    expect(await codeOf('PUT', '/api/user/self', body)).toBe(code)
    expect(await stored()).toEqual(ann)
  })

  it('are refused when another user has them, and the password then stays too', async () => {
    const { codeOf, stored, createUser, ann } = await setUp()
    const { username } = await createUser()
    const body = { username, password: newPassword, original_password: oldPassword }
    expect(await codeOf('PUT', '/api/user/self', body)).toBe('username_taken')
    expect(await stored()).toEqual(ann)
  })

  it('may be the account’s own address', async () => {
    const email = `${unique('own')}@example.com`
    const { codeOf } = await setUp({ email })
    expect(await codeOf('PUT', '/api/user/self', { username: email })).toBe('done')
  })
})

describe('one’s own password', () => {
  it('changes with the one before, and ends every other session', async () => {
    const { codeOf, isIn, loggedIn, ann, headers, stored, createUser } = await setUp()
    const elsewhere = await loggedIn(ann)
    const stranger = await loggedIn(await createUser())
    for (const sent of [elsewhere, stranger]) expect(await isIn(sent)).toBe(true)
    const body = { password: newPassword, original_password: oldPassword }
    expect(await codeOf('PUT', '/api/user/self', body)).toBe('done')
    expect(await Promise.all([headers, elsewhere, stranger].map(isIn))).toEqual([true, false, true])
    expect(await quickPasswords.verify(newPassword, (await stored()).passwordHash)).toBe(true)
  })

  it('changes right after the log-in by the fields of the specification, and then no more without the one before', async () => {
    const { codeOf, isIn, loggedIn, ann, time, stored } = await setUp()
    const elsewhere = await loggedIn(ann)
    time.ms += 601_000
    expect(await codeOf('PUT', '/api/user/self', { password: newPassword })).toBe('recent_proof_required')
    expect((await stored()).passwordHash).toBe(oldHash)
    const fresh = await loggedIn(ann)
    const body = { username: ann.username, display_name: '', password: newPassword }
    expect(await codeOf('PUT', '/api/user/self', body, fresh)).toBe('done')
    expect([await isIn(fresh), await isIn(elsewhere)]).toEqual([true, false])
  })

  it('is not one of eight blanks without a proof', async () => {
    const { codeOf, time } = await setUp()
    time.ms += 601_000
    expect(await codeOf('PUT', '/api/user/self', { password: ' '.repeat(8) })).toBe('recent_proof_required')
  })

  it('is not changed by a program, whatever it knows', async () => {
    const { codeOf, accessTokenOf, ann, stored } = await setUp()
    const bearer = {
      authorization: `Bearer ${await accessTokenOf(ann)}`,
      'new-api-user': String(ann.id),
    }
    const body = { password: newPassword, original_password: oldPassword }
    expect(await codeOf('PUT', '/api/user/self', body, bearer)).toBe('session_required')
    expect((await stored()).passwordHash).toBe(oldHash)
    expect(await codeOf('PUT', '/api/user/self', { display_name: 'Ann' }, bearer)).toBe('done')
  })

  it('that there is none of is not the one before', async () => {
    const { codeOf, time } = await setUp({ passwordHash: '' })
    time.ms += 601_000
    const body = { password: newPassword, original_password: 'anything' }
    expect(await codeOf('PUT', '/api/user/self', body)).toBe('original_password_wrong')
  })

  it('is set without another where there was none', async () => {
    const { codeOf, stored } = await setUp({ passwordHash: '' })
    expect(await codeOf('PUT', '/api/user/self', { password: newPassword })).toBe('done')
    expect(await quickPasswords.verify(newPassword, (await stored()).passwordHash)).toBe(true)
  })

  it('cannot be guessed by a stranger with an open session', async () => {
    const { send, headers } = await setUp({}, { limits: { CRITICAL_RATE_LIMIT: 3 } })
    const statuses: number[] = []
    for (let each = 0; each < 4; each += 1) {
      const body = { password: newPassword, original_password: `guess ${each}` }
      statuses.push((await send('PUT', '/api/user/self', { headers, body })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

describe('closing one’s own account', () => {
  it('ends sessions, access token, keys and login at once, and keeps the record', async () => {
    const fixture = await setUp()
    const { call, codeOf, isIn, ann, headers, accessTokenOf, users, stored, send } = fixture
    const bearer = { authorization: await accessTokenOf(ann), 'new-api-user': String(ann.id) }
    expect([await isIn(headers), await isIn(bearer)]).toEqual([true, true])
    const deleted = await send('DELETE', '/api/user/self', { headers })
    expect(deleted.envelope).toEqual({ success: true, message: '' })
    expect(deleted.headers.get('set-cookie')).toStartWith('session=; Path=/; Max-Age=0')
    expect([await isIn(headers), await isIn(bearer)]).toEqual([false, false])
    expect(await users.directory.find(ann.id)).toBeUndefined()
    const login = { username: ann.username, password: oldPassword }
    expect((await call('POST', '/api/user/login', login, {})).code).toBe('login_failed')
    expect(await stored()).toMatchObject({
      username: ann.username,
      deletedAt: 1_800_000_000,
      accessTokenHash: '',
    })
    expect(await codeOf('DELETE', '/api/user/self')).toBe('not_logged_in')
  })

  it('is not for root', async () => {
    const { codeOf, stored } = await setUp({ role: 'root' })
    expect(await codeOf('DELETE', '/api/user/self')).toBe('root_undeletable')
    expect((await stored()).deletedAt).toBeNull()
  })
})

describe('the system access token', () => {
  it.each(['GET', 'POST'])('is created and replaced by %s, and only its hash is stored', async (method) => {
    const { call, isIn, ann, stored, raw, headers } = await setUp()
    const bearer = (token: unknown) => ({ authorization: String(token), 'new-api-user': String(ann.id) })
    const { data: first } = await call(method, '/api/user/token')
    expect(first).toMatch(/^\w{32}$/)
    expect(await isIn(bearer(first))).toBe(true)
    const { data: second } = await call(method, '/api/user/token')
    expect([await isIn(bearer(first)), await isIn(bearer(second))]).toEqual([false, true])
    expect(JSON.stringify(await stored())).not.toContain(second as string)
    expect(await (await raw('GET', '/api/user/self', { headers })).text()).not.toContain(second as string)
  })
})

describe('invitations', () => {
  const settings = { QuotaPerUnit: '1000' }

  it('have a code that stays, and is made for who has none', async () => {
    const { call, ann, stored } = await setUp({ affCode: '' })
    const { data: code } = await call('GET', '/api/user/aff')
    expect(code).toMatch(/^\w{8}$/)
    expect((await call('GET', '/api/user/aff')).data).toBe(code)
    expect(await stored()).toEqual({ ...ann, affCode: code as string })
  })

  it('earn what is moved to the balance, and no more', async () => {
    const { codeOf, stored, store } = await setUp({ affQuota: 2500, affHistoryQuota: 2500 }, { settings })
    const transfer = (quota: unknown) => codeOf('POST', '/api/user/aff_transfer', { quota })
    expect(await transfer(2501)).toBe('transfer_exceeds_earnings')
    expect(await transfer(1500)).toBe('done')
    expect(await transfer(1001)).toBe('transfer_exceeds_earnings')
    expect(await transfer(1000)).toBe('done')
    expect(await stored()).toMatchObject({ affQuota: 0, affHistoryQuota: 2500, quota: 2500 })
    const { id } = await stored()
    expect((await store.ledger.list('user', id, 9)).map(({ cause, amount }) => [cause, amount])).toEqual([
      ['transfer', 1000],
      ['transfer', 1500],
    ])
  })

  it.each([
    ['transfer_below_minimum', 999],
    ['transfer_below_minimum', 0],
    ['transfer_below_minimum', -5000],
    ['transfer_exceeds_earnings', Number.MAX_SAFE_INTEGER],
    ['invalid_parameter', 1000.5],
    ['invalid_parameter', '1000'],
    ['invalid_parameter', null],
  ])('are refused as %s: %p', async (code, quota) => {
    const { codeOf, stored, ann } = await setUp({ affQuota: 2500 }, { settings })
    expect(await codeOf('POST', '/api/user/aff_transfer', { quota })).toBe(code)
    expect(await stored()).toEqual(ann)
  })

  it('refuse figures that no number is', async () => {
    const { send, headers } = await setUp({ affQuota: 2500 }, { settings })
    for (const body of ['{"quota":1e309}', '{"quota":NaN}', '{"quota":', '[]', '']) {
      const { status, envelope } = await send('POST', '/api/user/aff_transfer', { headers, body })
      expect([status, envelope.success, envelope.code]).toEqual([200, false, 'invalid_parameter'])
    }
  })

  it('credit each of many transfers at once at most what is there', async () => {
    const { codeOf, stored } = await setUp({ affQuota: 5000 }, { settings })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => codeOf('POST', '/api/user/aff_transfer', { quota: 1000 })),
    )
    expect(outcomes.filter((code) => code === 'done')).toHaveLength(5)
    expect(await stored()).toMatchObject({ affQuota: 0, quota: 5000 })
  })
})

describe('hosts that keys may go to', () => {
  it('are stored once each, in one spelling, beside all other settings', async () => {
    const { call, codeOf, isIn, ann, accessTokenOf, send } = await setUp({
      setting: '{"notify_type":"email"}',
    })
    const confirm = (host: string) => call('POST', '/api/user/self/chat_hosts', { host })
    expect((await confirm('https://Chat.example.com/')).data).toEqual(['https://chat.example.com'])
    expect((await confirm('chat.example.com')).data).toEqual(['https://chat.example.com'])
    expect((await confirm('opencat:')).data).toEqual(['https://chat.example.com', 'opencat:'])
    const { data } = await call('GET', '/api/user/self')
    expect(JSON.parse((data as { setting: string }).setting)).toEqual({
      notify_type: 'email',
      chat_hosts: ['https://chat.example.com', 'opencat:'],
    })
    expect(await codeOf('POST', '/api/user/self/chat_hosts', { host: 'https://a/b' })).toBe(
      'chat_host_invalid',
    )
    const bearer = { authorization: await accessTokenOf(ann), 'new-api-user': String(ann.id) }
    expect(await isIn(bearer)).toBe(true)
    const byProgram = await send('POST', '/api/user/self/chat_hosts', {
      headers: bearer,
      body: { host: 'a.b' },
    })
    expect(byProgram.envelope.code).toBe('session_required')
    const setting = { notify_type: 'email', quota_warning_threshold: 5 }
    expect(await codeOf('PUT', '/api/user/setting', setting)).toBe('done')
    expect((await confirm('opencat:')).data).toEqual(['https://chat.example.com', 'opencat:'])
  })
})
