import { afterAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { type AdminPart, adminPartNames, type Call, defaultAdminParts, mayUsePart } from '@tollgate/api'
import { deadline } from '../../../../../scripts/deadline/deadline.mjs'
import { writtenParts } from '../../accounts/users/admin-parts.ts'
import { closeTestStores } from '../../accounts/users/test-support/test-store.ts'
import { allCalls } from './test-support/access-walk.ts'
import { consoleFixture } from './test-support/console-fixture.ts'
import { standIn } from './test-support/kind-routes.ts'

// A call of every part as every kind of administrator.
setDefaultTimeout(deadline(30_000))

afterAll(closeTestStores)

async function everyCall() {
  const { routes } = await consoleFixture()
  const served = new Set<unknown>(routes.map(({ call }) => call))
  return consoleFixture({ routes: allCalls.filter((call) => !served.has(call)).map(standIn) })
}

type Fixture = Awaited<ReturnType<typeof consoleFixture>>

async function administrator({ createUser, store, loggedIn }: Fixture, parts?: readonly AdminPart[]) {
  const user = await createUser({ role: 'admin' })
  if (parts !== undefined) await store.users.update(user.id, { adminParts: writtenParts(parts) })
  return { user, headers: await loggedIn(user) }
}

async function codeOf({ send }: Fixture, headers: Record<string, string>, call: Call) {
  const path = call.path.replace(/:\w+/g, '987654321')
  const body = call.body === undefined ? {} : { body: {} }
  const { status, envelope } = await send(call.method, path, { headers, ...body })
  return status === 403 ? 'admin_part_missing' : envelope.code
}

const administration = allCalls.filter(({ access }) => access === 'admin')

describe('the parts of administrators', () => {
  it.each([[], ...adminPartNames.map((part) => [part]), [...defaultAdminParts]].map((parts) => [parts]))(
    'open the calls of %j and no others',
    async (parts) => {
      const fixture = await everyCall()
      const wrong: string[] = []
      for (const call of administration) {
        const { headers } = await administrator(fixture, parts)
        const isRefused = (await codeOf(fixture, headers, call)) === 'admin_part_missing'
        if (isRefused === mayUsePart({ role: 'admin', parts }, call.part))
          wrong.push(`${call.method} ${call.path}`)
      }
      expect(wrong).toEqual([])
    },
  )

  it('are those of the table for a new administrator, and count from the next call on', async () => {
    const fixture = await everyCall()
    const { user, headers } = await administrator(fixture)
    const list = () => fixture.send('GET', '/api/channel/', { headers })
    const clear = () => fixture.send('DELETE', '/api/log/?target_timestamp=1', { headers })
    expect((await list()).envelope.code).toBeUndefined()
    expect((await clear()).envelope.code).toBe('admin_part_missing')
    const root = await fixture.createUser({ role: 'root' })
    const asRoot = await fixture.loggedIn(root)
    const set = (parts: readonly string[], by = asRoot) =>
      fixture.send('PUT', `/api/user/${user.id}/parts`, { headers: by, body: { parts } })
    expect((await set(['log-clearing'])).envelope.data).toMatchObject({ admin_parts: ['log-clearing'] })
    expect((await list()).envelope.code).toBe('admin_part_missing')
    expect((await clear()).envelope.code).not.toBe('admin_part_missing')
    expect((await set(adminPartNames, headers)).envelope.code).toBe('permission_denied')
    expect((await set([])).envelope.data).toMatchObject({ admin_parts: [] })
    expect((await fixture.send('GET', '/api/user/self', { headers })).envelope.data).toMatchObject({
      admin_parts: [],
    })
    for (const action of ['demote', 'promote'])
      await fixture.send('POST', '/api/user/manage', { headers: asRoot, body: { id: user.id, action } })
    expect((await fixture.store.users.find(user.id))?.adminParts).toBe('')
  })

  it('guard balances by the part money, whichever call moves them', async () => {
    const fixture = await everyCall()
    const { headers } = await administrator(fixture, ['users'])
    const ann = await fixture.createUser()
    const sent = async (method: string, path: string, body: object) =>
      (await fixture.send(method, path, { headers, body })).envelope.code ?? 'done'
    const named = { username: 'newcomer', password: 'battery staple' }
    expect(await sent('PUT', '/api/user/', { id: ann.id, quota_change: 5 })).toBe('admin_part_missing')
    expect(await sent('PUT', '/api/user/', { id: ann.id, quota: 5 })).toBe('admin_part_missing')
    expect(await sent('POST', '/api/user/', { ...named, quota: 5 })).toBe('admin_part_missing')
    expect(await sent('POST', '/api/redemption/', { name: 'x', quota: 5, count: 1 })).toBe(
      'admin_part_missing',
    )
    expect(await sent('PUT', '/api/user/', { id: ann.id, quota: 0, display_name: 'Ann' })).toBe('done')
    expect(await sent('POST', '/api/user/', named)).toBe('done')
  })
})

describe('passing root on', () => {
  it('leaves one root, who needs a recent proof for it, and an administrator with every part', async () => {
    const fixture = await everyCall()
    const { store, send, loggedIn, createUser } = fixture
    const [root, heir, ann] = [
      await createUser({ role: 'root' }),
      await createUser({ role: 'admin' }),
      await createUser(),
    ]
    const asRoot = await loggedIn(root)
    const pass = async (id: number, headers = asRoot) =>
      (await send('POST', `/api/user/${id}/root`, { headers })).envelope.code ?? 'done'
    expect(await pass(ann.id)).toBe('user_not_administrator')
    expect(await pass(root.id)).toBe('user_not_administrator')
    expect(await pass(987_654_321)).toBe('user_unknown')
    expect(await pass(heir.id, await loggedIn(heir))).toBe('permission_denied')
    const token = await fixture.accessTokenOf(root)
    const byProgram = { authorization: `Bearer ${token}`, 'new-api-user': String(root.id) }
    expect(await pass(heir.id, byProgram)).toBe('session_required')
    expect(await pass(heir.id)).toBe('done')
    const roleOf = async ({ id }: { readonly id: number }) => (await store.users.find(id))?.role
    expect([await roleOf(root), await roleOf(heir), await roleOf(ann)]).toEqual(['admin', 'root', 'common'])
    expect(await pass(heir.id)).toBe('permission_denied')
    expect(
      (await send('DELETE', '/api/log/?target_timestamp=1', { headers: asRoot })).envelope.code,
    ).not.toBe('admin_part_missing')
  })

  it('is done once where two are made root at once', async () => {
    const fixture = await everyCall()
    const root = await fixture.createUser({ role: 'root' })
    const heirs = [await fixture.createUser({ role: 'admin' }), await fixture.createUser({ role: 'admin' })]
    const headers = await fixture.loggedIn(root)
    await Promise.all(heirs.map(({ id }) => fixture.send('POST', `/api/user/${id}/root`, { headers })))
    const roles = await Promise.all(heirs.map(async ({ id }) => (await fixture.store.users.find(id))?.role))
    expect(roles.toSorted()).toEqual(['admin', 'root'])
  })
})
