import { afterEach, describe, expect, it } from 'bun:test'
import { systemClock } from '@tollgate/base'
import { createSetupCode, rootInitialQuota } from '../../../accounts/users/setup.ts'

import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterEach(closeTestStores)

const form = {
  username: 'boss',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  SelfUseModeEnabled: true,
  DemoSiteEnabled: false,
}

/** A new installation, asked from its own machine: no code is wanted. */
async function newInstallation(options: FixtureOptions = {}) {
  const fixture = await consoleFixture({ fresh: true, ...options })
  const send: typeof fixture.send = (method, path, sent = {}) =>
    fixture.send(method, path, {
      ...sent,
      from: '127.0.0.1',
      headers: { host: 'localhost:3000', ...sent.headers },
    })
  return { ...fixture, send }
}

describe('first-run setup', () => {
  it('creates root with its first quota, stores the mode, and is over', async () => {
    const { send, store, settings } = await newInstallation()
    expect((await send('GET', '/api/setup')).envelope.data).toEqual({
      status: false,
      root_init: false,
      database_type: 'sqlite',
      code_required: false,
    })
    expect((await send('POST', '/api/setup', { body: form })).envelope).toEqual({
      success: true,
      message: 'The system is set up',
    })
    const root = await store.users.findByLogin('boss')
    expect(root).toMatchObject({ role: 'root', status: 'enabled', group: 'default', quota: rootInitialQuota })
    expect(root?.passwordHash).toStartWith('$argon2id$')
    expect(await store.ledger.list('user', root?.id ?? 0, 10)).toMatchObject([
      { cause: 'initial', amount: rootInitialQuota },
    ])
    expect(settings.current).toMatchObject({ SelfUseModeEnabled: true, DemoSiteEnabled: false })
    expect((await send('GET', '/api/setup')).envelope.data).toEqual({
      status: true,
      root_init: false,
      database_type: '',
      code_required: false,
    })
  })

  it('opens no session, but its root can log in', async () => {
    const { send } = await newInstallation()
    const done = await send('POST', '/api/setup', { body: form })
    expect(done.headers.get('set-cookie')).toBeNull()
    const login = await send('POST', '/api/user/login', { body: form })
    expect(login.envelope).toMatchObject({ success: true, data: { username: 'boss', role: 100 } })
  })

  it('is refused a second time', async () => {
    const { send } = await newInstallation()
    await send('POST', '/api/setup', { body: form })
    const again = await send('POST', '/api/setup', { body: { ...form, username: 'thief' } })
    expect(again.status).toBe(200)
    expect(again.envelope).toMatchObject({ success: false, code: 'setup_already_done' })
  })

  it('has one winner when several run at once, and one root', async () => {
    const { send, store } = await newInstallation()
    const names = ['first', 'second', 'third', 'fourth']
    const responseBodies = await Promise.all(
      names.map((username) => send('POST', '/api/setup', { body: { ...form, username } })),
    )
    expect(responseBodies.filter(({ envelope }) => envelope.success)).toHaveLength(1)
    const created = await Promise.all(names.map((name) => store.users.findByLogin(name)))
    expect(created.filter((user) => user !== undefined)).toHaveLength(1)
  })

  it.each([
    ['setup_username_empty', { username: '' }],
    ['setup_username_empty', { username: '   ' }],
    ['username_invalid', { username: ' boss' }],
    ['username_invalid', { username: 'b'.repeat(33) }],
    ['password_short', { password: 'seven77', confirmPassword: 'seven77' }],
    ['password_too_long', { password: 'p'.repeat(129), confirmPassword: 'p'.repeat(129) }],
    ['password_mismatch', { confirmPassword: 'correct house' }],
    ['setup_username_empty', { username: undefined, password: undefined }],
    ['invalid_parameter', { SelfUseModeEnabled: 'true' }],
  ])('refuses with %s and leaves nothing behind: %j', async (code, change) => {
    const { send, store } = await newInstallation()
    const { status, envelope } = await send('POST', '/api/setup', { body: { ...form, ...change } })
    expect(status).toBe(200)
    expect(envelope.code).toBe(code)
    expect(await store.setups.isDone()).toBe(false)
    expect(await store.users.rootExists()).toBe(false)
  })

  it('says what is wrong in Chinese to those who read Chinese', async () => {
    const { send } = await newInstallation()
    const { envelope } = await send('POST', '/api/setup', {
      body: { ...form, confirmPassword: 'another' },
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(envelope.message).toBe('两次输入的密码不一致')
  })

  it('keeps the administrator an installation already has', async () => {
    const { send, store, createUser } = await newInstallation()
    const root = await createUser({ username: 'imported', role: 'root' })
    expect((await send('GET', '/api/setup')).envelope.data).toMatchObject({ status: false, root_init: true })
    const body = { SelfUseModeEnabled: false, DemoSiteEnabled: false }
    expect((await send('POST', '/api/setup', { body })).envelope.success).toBe(true)
    expect(await store.users.find(root.id)).toMatchObject({ username: 'imported', quota: 0 })
    expect(await store.users.idsByUsername('')).toEqual([])
  })

  it('is taken as done at start when there is a root, and only then', async () => {
    const fresh = await newInstallation()
    await fresh.users.setup.adoptExisting()
    expect(await fresh.users.setup.isDone()).toBe(false)
    await fresh.createUser({ role: 'root' })
    await fresh.users.setup.adoptExisting()
    expect(await fresh.users.setup.isDone()).toBe(true)
    expect(await fresh.store.setups.isDone()).toBe(true)
  })

  it('is closed to everyone while the database does not respond', async () => {
    const { send, store } = await consoleFixture()
    store.setups.isDone = async () => {
      throw new Error('connection refused')
    }
    expect((await send('GET', '/api/setup')).status).toBe(500)
    expect((await send('POST', '/api/setup', { body: form })).status).toBe(500)
    expect(await store.users.rootExists()).toBe(false)
  })

  it('cannot be run by a page of another site', async () => {
    const { send } = await newInstallation()
    const headers = { origin: 'https://evil.test' }
    expect((await send('POST', '/api/setup', { body: form, headers })).envelope.code).toBe('foreign_origin')
  })
})

describe('the set-up code', () => {
  const away = { from: '198.51.100.7' }
  const forwarded = { from: '127.0.0.1', headers: { host: 'localhost', 'x-forwarded-for': '198.51.100.7' } }

  it('is asked for from everybody who is not on this machine', async () => {
    const { send, users } = await consoleFixture({ fresh: true })
    for (const sent of [away, forwarded]) {
      expect((await send('GET', '/api/setup', sent)).envelope.data).toMatchObject({ code_required: true })
      const without = await send('POST', '/api/setup', { ...sent, body: form })
      expect(without.envelope).toMatchObject({ success: false, code: 'setup_code_wrong' })
      const wrong = await send('POST', '/api/setup', { ...sent, body: { ...form, code: '0000-0000-0000' } })
      expect(wrong.envelope).toMatchObject({ success: false, code: 'setup_code_wrong' })
    }
    expect(await users.setup.isDone()).toBe(false)
    const body = { ...form, code: await users.setupCode.text() }
    expect((await send('POST', '/api/setup', { ...away, body })).envelope.success).toBe(true)
    expect((await send('GET', '/api/setup', away)).envelope.data).toMatchObject({ code_required: false })
    expect((await send('POST', '/api/setup', { ...away, body })).envelope.code).toBe('setup_already_done')
  })

  it('cannot be guessed in a row', async () => {
    const { send, users } = await consoleFixture({ fresh: true, limits: { CRITICAL_RATE_LIMIT: 3 } })
    const tries = []
    for (let turn = 0; turn < 5; turn += 1)
      tries.push(
        (await send('POST', '/api/setup', { ...away, body: { ...form, code: `${turn}` } })).envelope.code,
      )
    expect(tries.slice(2)).toEqual(['setup_code_wrong', 'too_many_requests', 'too_many_requests'])
    const body = { ...form, code: await users.setupCode.text() }
    expect((await send('POST', '/api/setup', { ...away, body })).envelope.code).toBe('too_many_requests')
    expect((await send('POST', '/api/setup', { from: '198.51.100.8', body })).envelope.success).toBe(true)
  })

  it('is read however it is typed, is the same for all nodes, and another one after a start', async () => {
    const { store, vault } = await consoleFixture({ fresh: true })
    const services = { store, vault, clock: systemClock }
    const [code, ofOtherNode] = [createSetupCode(services), createSetupCode(services)]
    const first = await code.text()
    expect(first).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
    await ofOtherNode.check(
      ` ${first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `,
    )
    await ofOtherNode.renew()
    expect(await code.text()).not.toBe(first)
    for (const wrong of [first, '']) {
      const refusal = await code.check(wrong).then(
        () => undefined,
        (error: Error) => error.message,
      )
      expect(refusal).toContain('The set-up code is wrong')
    }
  })
})
