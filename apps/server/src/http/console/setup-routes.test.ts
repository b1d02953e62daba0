import { afterEach, describe, expect, it } from 'bun:test'
import { rootInitialQuota } from '../../users/setup.ts'
import { closeTestStores } from '../../users/test-support/test-store.ts'
import { consoleFixture } from './test-support/console-fixture.ts'

afterEach(closeTestStores)

const form = {
  username: 'boss',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  SelfUseModeEnabled: true,
  DemoSiteEnabled: false,
}

describe('first-run setup', () => {
  it('creates root with its first quota, stores the mode, and is over', async () => {
    const { send, store, settings } = await consoleFixture({ fresh: true })
    expect((await send('GET', '/api/setup')).envelope.data).toEqual({
      status: false,
      root_init: false,
      database_type: 'sqlite',
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
    })
  })

  it('opens no session, but its root can log in', async () => {
    const { send } = await consoleFixture({ fresh: true })
    const done = await send('POST', '/api/setup', { body: form })
    expect(done.headers.get('set-cookie')).toBeNull()
    const login = await send('POST', '/api/user/login', { body: form })
    expect(login.envelope).toMatchObject({ success: true, data: { username: 'boss', role: 100 } })
  })

  it('is refused a second time', async () => {
    const { send } = await consoleFixture({ fresh: true })
    await send('POST', '/api/setup', { body: form })
    const again = await send('POST', '/api/setup', { body: { ...form, username: 'thief' } })
    expect(again.status).toBe(200)
    expect(again.envelope).toMatchObject({ success: false, code: 'setup_already_done' })
  })

  it('has one winner when several run at once, and one root', async () => {
    const { send, store } = await consoleFixture({ fresh: true })
    const names = ['first', 'second', 'third', 'fourth']
    const answers = await Promise.all(
      names.map((username) => send('POST', '/api/setup', { body: { ...form, username } })),
    )
    expect(answers.filter(({ envelope }) => envelope.success)).toHaveLength(1)
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
    const { send, store } = await consoleFixture({ fresh: true })
    const { status, envelope } = await send('POST', '/api/setup', { body: { ...form, ...change } })
    expect(status).toBe(200)
    expect(envelope.code).toBe(code)
    expect(await store.setups.isDone()).toBe(false)
    expect(await store.users.rootExists()).toBe(false)
  })

  it('says what is wrong in Chinese to those who read Chinese', async () => {
    const { send } = await consoleFixture({ fresh: true })
    const { envelope } = await send('POST', '/api/setup', {
      body: { ...form, confirmPassword: 'another' },
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(envelope.message).toBe('两次输入的密码不一致')
  })

  it('keeps the administrator an installation already has', async () => {
    const { send, store, createUser } = await consoleFixture({ fresh: true })
    const root = await createUser({ username: 'imported', role: 'root' })
    expect((await send('GET', '/api/setup')).envelope.data).toMatchObject({ status: false, root_init: true })
    const body = { SelfUseModeEnabled: false, DemoSiteEnabled: false }
    expect((await send('POST', '/api/setup', { body })).envelope.success).toBe(true)
    expect(await store.users.find(root.id)).toMatchObject({ username: 'imported', quota: 0 })
    expect(await store.users.idsByUsername('')).toEqual([])
  })

  it('is taken as done at start when there is a root, and only then', async () => {
    const fresh = await consoleFixture({ fresh: true })
    await fresh.users.setup.adoptExisting()
    expect(await fresh.users.setup.isDone()).toBe(false)
    await fresh.createUser({ role: 'root' })
    await fresh.users.setup.adoptExisting()
    expect(await fresh.users.setup.isDone()).toBe(true)
    expect(await fresh.store.setups.isDone()).toBe(true)
  })

  it('is not open to anybody while the database does not answer', async () => {
    const { send, store } = await consoleFixture()
    store.setups.isDone = async () => {
      throw new Error('connection refused')
    }
    expect((await send('GET', '/api/setup')).status).toBe(500)
    expect((await send('POST', '/api/setup', { body: form })).status).toBe(500)
    expect(await store.users.rootExists()).toBe(false)
  })

  it('cannot be run by a page of another site', async () => {
    const { send } = await consoleFixture({ fresh: true })
    const headers = { origin: 'https://evil.test' }
    expect((await send('POST', '/api/setup', { body: form, headers })).envelope.code).toBe('foreign_origin')
  })
})
