import { afterAll, describe, expect, it } from 'bun:test'
import { closeTestStores } from '../../users/test-support/test-store.ts'
import { sampleFixture as fixture } from './test-support/sample-routes.ts'

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
    const { vault, createUser } = current
    const user = await createUser({ accessTokenHash: vault.hash('my-access-token') })
    const id = { 'new-api-user': String(user.id) }
    expect((await guarded({ ...id, authorization: 'Bearer my-access-token' })).code).toBe('admitted')
    expect((await guarded({ ...id, authorization: 'my-access-token' })).code).toBe('admitted')
    expect((await guarded({ authorization: 'my-access-token' })).code).toBe('user_header_missing')
    expect((await guarded({ ...id, authorization: 'my-access-token' }, '/api/only')).code).toBe(
      'session_required',
    )
    await current.store.users.update(user.id, { accessTokenHash: vault.hash('another') })
    current.bus.publish('user-changed', { id: user.id })
    expect((await guarded({ ...id, authorization: 'my-access-token' })).code).toBe('access_token_invalid')
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
