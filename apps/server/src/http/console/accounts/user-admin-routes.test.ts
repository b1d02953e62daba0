import { afterEach, describe, expect, it } from 'bun:test'
import { type ListedUser, maxBalance, type Role, type RowOutcome } from '@tollgate/api'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import type { NewUser, User } from '../../../store/accounts/users.ts'
import { consoleFixture, type FixtureOptions } from '../test-support/console-fixture.ts'

afterEach(closeTestStores)

type Page = { items: ListedUser[]; total: number; page: number; page_size: number }

/** A console with one administrator of each rank, and a way to call it as any of them. */
async function administration(options: FixtureOptions = {}) {
  const fixture = await consoleFixture({ ownStore: true, ...options })
  const root = await fixture.createUser({ username: 'root', role: 'root' })
  const admin = await fixture.createUser({ username: 'admin', role: 'admin' })
  async function as<Data = unknown>(actor: User, method: string, path: string, body?: unknown) {
    const headers = await fixture.loggedIn(actor)
    const { envelope, status } = await fixture.send(method, path, {
      headers,
      ...(body !== undefined && { body }),
    })
    return { ...envelope, status, data: envelope.data as Data }
  }
  const auditEvents = async (action?: string) => {
    const { rows } = await fixture.store.auditLog.page({}, { offset: 0, limit: 100 })
    return rows.filter((row) => action === undefined || row.action === action)
  }
  const idsOf = (page: Page) => page.items.map(({ id }) => id)
  return { ...fixture, root, admin, as, auditEvents, idsOf }
}

describe('the list of users', () => {
  it('is paged from 1 with the total, newest first, and fits the contract', async () => {
    const { as, admin, root, createUser, idsOf } = await administration()
    const [ann, bob] = [await createUser(), await createUser()]
    const first = (await as<Page>(admin, 'GET', '/api/user/?p=1&page_size=3')).data
    expect({ ...first, items: idsOf(first) }).toEqual({
      items: [bob.id, ann.id, admin.id],
      total: 4,
      page: 1,
      page_size: 3,
    })
    const second = (await as<Page>(admin, 'GET', '/api/user?p=2&page_size=3')).data
    expect(idsOf(second)).toEqual([root.id])
    const blank = (await as<Page>(admin, 'GET', '/api/user/?p=&page_size=')).data
    expect([blank.page, blank.page_size, blank.items.length]).toEqual([1, 10, 4])
    const far = await as<Page>(admin, 'GET', `/api/user/?p=${Number.MAX_SAFE_INTEGER}&page_size=100`)
    expect([far.success, far.data.items.length, far.data.total]).toEqual([true, 0, 4])
    expect((await as<Page>(admin, 'GET', '/api/user/?page_size=1000')).data.page_size).toBe(100)
  })

  it('names who invited whom, deleted ones too', async () => {
    const { as, admin, root, createUser } = await administration()
    const ann = await createUser({ username: 'ann', inviterId: root.id })
    const bob = await createUser({ username: 'bob', inviterId: ann.id })
    await as(root, 'DELETE', `/api/user/${ann.id}`)
    const { items } = (await as<Page>(admin, 'GET', '/api/user/')).data
    expect(items.map(({ inviter_name: name }) => name)).toEqual(['ann', 'root', '', ''])
    expect((await as(admin, 'GET', `/api/user/${bob.id}`)).data).toMatchObject({ inviter_name: 'ann' })
  })

  it('holds no user’s secrets, for any reader', async () => {
    const { as, admin, root, createUser, raw, loggedIn } = await administration()
    const secret = await createUser({
      role: 'admin',
      passwordHash: '$argon2id$hidden',
      accessTokenHash: 'hash-of-access-token',
      setting: JSON.stringify({ notify_type: 'webhook', webhook_secret: 'hush-hush' }),
    })
    for (const path of ['/api/user/', '/api/user/search?keyword=user', `/api/user/${secret.id}`]) {
      const text = await (await raw('GET', path, { headers: await loggedIn(root) })).text()
      expect(text).toContain(`"id":${secret.id}`)
      for (const hidden of ['$argon2id$hidden', 'hash-of-access-token', 'hush-hush', 'search_text'])
        expect(text).not.toContain(hidden)
    }
    expect((await as(secret, 'GET', '/api/user/')).success).toBe(true)
    expect((await as(admin, 'GET', `/api/user/${secret.id}`)).code).toBe('user_not_readable')
  })

  it('is filtered and sorted by the server', async () => {
    const { as, admin, root, createUser, store, ledger, idsOf } = await administration()
    const vip = await createUser({ username: 'Zoe', group: 'vip' })
    const banned = await createUser({ username: 'abe', status: 'banned' })
    const gone = await createUser({ username: 'Bea' })
    await store.users.update(gone.id, { deletedAt: 1_700_000_000 })
    await ledger.credit({ kind: 'user', id: banned.id, cause: 'initial', amount: 5, actorId: 0, note: '' })
    const list = async (query: string) => idsOf((await as<Page>(admin, 'GET', `/api/user/?${query}`)).data)
    expect(await list('role=10')).toEqual([admin.id])
    expect(await list('role=100')).toEqual([root.id])
    expect(await list('status=2')).toEqual([banned.id])
    expect(await list('group=vip')).toEqual([vip.id])
    expect(await list('deleted=true')).toEqual([gone.id])
    expect(await list('deleted=false&role=1')).toEqual([banned.id, vip.id])
    expect(await list('role=1&sort=username&order=asc')).toEqual([banned.id, gone.id, vip.id])
    expect((await list('sort=quota'))[0]).toBe(banned.id)
    expect(await list('role=&status=&group=&deleted=&sort=&order=')).toHaveLength(5)
    const [deleted] = (await as<Page>(admin, 'GET', '/api/user/?deleted=true')).data.items
    expect(deleted?.DeletedAt).toBe('2023-11-14T22:13:20.000Z')
  })

  it('is listed all the same with a filter that cannot be read', async () => {
    const { as, admin } = await administration()
    for (const query of ['role=5', 'status=3', 'deleted=maybe', 'sort=password_hash', 'order=sideways'])
      expect((await as(admin, 'GET', `/api/user/?${query}`)).success).toBe(true)
  })

  it('is searched by the very characters of a keyword and by group, also for ids', async () => {
    const { as, admin, createUser, idsOf } = await administration()
    const ann = await createUser({ username: 'ann%', email: 'Ann@Example.com', group: 'vip' })
    const bob = await createUser({ username: 'bob', displayName: 'Ännchen_' })
    const search = async (keyword: string, more = '') => {
      const path = `/api/user/search?keyword=${encodeURIComponent(keyword)}${more}`
      const { data } = await as<Page>(admin, 'GET', path)
      expect(data.total).toBe(data.items.length)
      return idsOf(data)
    }
    expect(await search('%')).toEqual([ann.id])
    expect(await search('_')).toEqual([bob.id])
    expect(await search(' äNN ')).toEqual([bob.id])
    expect(await search('EXAMPLE.com')).toEqual([ann.id])
    expect(await search(`' or 1=1 --`)).toEqual([])
    expect(await search('an', '&group=vip')).toEqual([ann.id])
    expect(await search('bob', '&group=vip')).toEqual([])
    expect(await search(String(bob.id))).toContain(bob.id)
    expect(await search('')).toHaveLength(4)
  })
})

describe('reading one user', () => {
  it('is for those above, for oneself, and for root', async () => {
    const { as, admin, root, createUser, store } = await administration()
    const [ann, colleague] = [await createUser(), await createUser({ role: 'admin' })]
    const read = async (reader: User, id: number) =>
      (await as(reader, 'GET', `/api/user/${id}`)).code ?? 'shown'
    expect(await read(admin, ann.id)).toBe('shown')
    expect(await read(admin, admin.id)).toBe('shown')
    expect(await read(admin, colleague.id)).toBe('user_not_readable')
    expect(await read(admin, root.id)).toBe('user_not_readable')
    expect(await read(root, colleague.id)).toBe('shown')
    expect(await read(ann, ann.id)).toBe('permission_denied')
    expect(await read(root, 4711)).toBe('record_not_found')
    await store.users.update(ann.id, { deletedAt: 1 })
    expect(await read(root, ann.id)).toBe('record_not_found')
  })
})

describe('creating a user', () => {
  const ann = { username: ' ann ', display_name: '', password: 'correct horse' }

  it('makes a common user who can log in, named by the username where nothing else is said', async () => {
    const { as, admin, send, auditEvents } = await administration({ settings: { QuotaForNewUser: '500' } })
    const { data } = await as<ListedUser>(admin, 'POST', '/api/user/', {
      ...ann,
      role: 1,
      status: 2,
      id: 1,
    })
    expect(data).toMatchObject({ username: 'ann', display_name: 'ann', role: 1, status: 1, group: 'default' })
    expect(data.quota).toBe(500)
    const login = await send('POST', '/api/user/login', { body: { username: 'ann', password: ann.password } })
    expect(login.envelope.success).toBe(true)
    const [act] = await auditEvents('user.create')
    expect(act).toMatchObject({
      actorId: admin.id,
      address: '192.0.2.1',
      targetId: data.id,
      targetName: 'ann',
      before: '',
    })
    expect(JSON.parse(act?.after ?? '')).toMatchObject({ username: 'ann', group: 'default' })
    expect(act?.after).not.toContain(ann.password)
  })

  it('gives exactly the quota that is asked for, with an entry that says who gave it', async () => {
    const { as, admin, store } = await administration({ settings: { QuotaForNewUser: '500' } })
    const body = { ...ann, group: 'vip', quota: 3_000_000_000 }
    const { data } = await as<ListedUser>(admin, 'POST', '/api/user/', body)
    expect([data.group, data.quota]).toEqual(['vip', 3_000_000_000])
    const entries = await store.ledger.list('user', data.id, 9)
    expect(entries.map(({ cause, amount, actorId }) => [cause, amount, actorId])).toEqual([
      ['admin-change', 2_999_999_500, admin.id],
      ['initial', 500, 0],
    ])
  })

  it('refuses what no user may have, and stores nothing', async () => {
    const { as, admin, auditEvents, store } = await administration()
    const refused = async (change: object) =>
      (await as(admin, 'POST', '/api/user/', { ...ann, ...change })).code
    expect(await refused({ username: '  ' })).toBe('username_invalid')
    expect(await refused({ username: 'x'.repeat(33) })).toBe('username_invalid')
    expect(await refused({ username: 'a\u0007b' })).toBe('username_invalid')
    expect(await refused({ display_name: 'x'.repeat(33) })).toBe('display_name_invalid')
    expect(await refused({ password: '1234567' })).toBe('password_short')
    expect(await refused({ username: 'admin' })).toBe('username_taken')
    expect(await refused({ group: 'nowhere' })).toBe('user_group_unknown')
    for (const quota of [-1, 0.5, '5', maxBalance + 1])
      expect(await refused({ quota })).toBe('invalid_parameter')
    expect(await auditEvents()).toEqual([])
    expect((await store.users.page({}, { sort: 'id', descending: true, offset: 0, limit: 9 })).total).toBe(2)
  })
})

describe('editing a user', () => {
  async function withAnn(fields: Partial<NewUser> = {}) {
    const fixture = await administration()
    const ann = await fixture.createUser({ username: 'ann', displayName: 'Ann', ...fields })
    const edit = (change: object, actor = fixture.admin) =>
      fixture.as<ListedUser>(actor, 'PUT', '/api/user/', { id: ann.id, ...change })
    const logOf = async () => {
      const { rows } = await fixture.store.usage.page({ userId: ann.id }, 1, 9)
      return rows.map(({ type, content }) => [type, content])
    }
    return { ...fixture, ann, edit, logOf }
  }

  it('changes what is given and nothing else', async () => {
    const { edit, ann, store, auditEvents, logOf } = await withAnn({ email: 'ann@example.com' })
    const { data } = await edit({ display_name: ' Anna ', used_quota: 9 })
    expect(data).toMatchObject({
      username: 'ann',
      display_name: 'Anna',
      role: 1,
      status: 1,
      email: 'ann@example.com',
    })
    await edit({ username: 'anna', group: 'vip' })
    expect(await store.users.find(ann.id)).toEqual({
      ...ann,
      username: 'anna',
      displayName: 'Anna',
      group: 'vip',
    })
    expect((await auditEvents()).map(({ before, after }) => [before, after])).toEqual([
      ['{"username":"ann","group":"default"}', '{"username":"anna","group":"vip"}'],
      ['{"displayName":"Ann"}', '{"displayName":"Anna"}'],
    ])
    expect(await logOf()).toEqual([])
  })

  it.each([
    ['email', 'other@example.com'],
    ['email', ''],
    ['github_id', '1'],
    ['oidc_id', '1'],
    ['wechat_id', '1'],
    ['telegram_id', '1'],
    ['linux_do_id', '1'],
    ['role', 100],
    ['status', 2],
    ['aff_code', 'AAAA'],
    ['inviter_id', 1],
  ])('refuses another %s by name, at whichever call sends it, and changes nothing', async (field, value) => {
    const { edit, as, root, ann, store } = await withAnn({ email: 'ann@example.com' })
    const refusals = [
      await edit({ display_name: 'Anna', [field]: value }),
      await edit({ display_name: 'Anna', [field]: value }, root),
    ]
    const isIdentity = field === 'email' || (field.endsWith('_id') && field !== 'inviter_id')
    if (isIdentity)
      refusals.push(await as(ann, 'PUT', '/api/user/self', { display_name: 'Anna', [field]: value }))
    if (isIdentity && value !== '') {
      const names = { username: 'bob', password: 'battery staple' }
      refusals.push(await as(root, 'POST', '/api/user/', { ...names, [field]: value }))
    }
    for (const { code, message } of refusals) {
      expect(code).toBe('user_field_fixed')
      expect(message).toContain(field)
    }
    expect(await store.users.find(ann.id)).toEqual({ ...ann, lastLoginAt: expect.any(Number) })
  })

  it('accepts the full record as an older console sends it back', async () => {
    const { edit, as, admin, ann, store, auditEvents } = await withAnn()
    const loaded = (await as<ListedUser>(admin, 'GET', `/api/user/${ann.id}`)).data
    expect((await edit({ ...loaded, password: '' })).success).toBe(true)
    expect(await store.users.find(ann.id)).toEqual(ann)
    expect(await store.ledger.list('user', ann.id, 9)).toEqual([])
    expect((await auditEvents()).map(({ before, after }) => [before, after])).toEqual([['{}', '{}']])
  })

  it('adds to the balance without losing what is charged meanwhile, and says in the user’s log who did it', async () => {
    const { edit, ann, admin, ledger, store, auditEvents, logOf } = await withAnn()
    expect((await edit({ quota_change: 1000 })).data.quota).toBe(1000)
    await ledger.charge('user', ann.id, 30)
    const { data } = await edit({ quota_change: -100, quota: 5 })
    expect(data.quota).toBe(870)
    const entries = await store.ledger.list('user', ann.id, 9)
    expect(entries.map(({ cause, amount, actorId }) => [cause, amount, actorId])).toEqual([
      ['admin-change', -100, admin.id],
      ['admin-change', 1000, admin.id],
    ])
    expect(await logOf()).toEqual([
      ['management', `admin (id ${admin.id}) changed the quota by -100 to 870`],
      ['management', `admin (id ${admin.id}) changed the quota by 1000 to 1000`],
    ])
    expect((await auditEvents())[0]).toMatchObject({ before: '{"quota":970}', after: '{"quota":870}' })
  })

  it('sets the balance to a figure, beyond 32 bits too', async () => {
    const { edit, store, ann } = await withAnn()
    expect((await edit({ quota: 5_000_000_000 })).data.quota).toBe(5_000_000_000)
    expect((await edit({ quota: 0 })).data.quota).toBe(0)
    expect((await edit({ quota: 0 })).success).toBe(true)
    expect(await store.ledger.list('user', ann.id, 9)).toHaveLength(2)
  })

  it('ends every session and the access token with a new password', async () => {
    const { edit, ann, send, loggedIn, store } = await withAnn({ accessTokenHash: 'hash' })
    const headers = await loggedIn(ann)
    const status = async () => (await send('GET', '/api/user/self', { headers })).status
    expect(await status()).toBe(200)
    expect((await edit({ password: 'short' })).code).toBe('password_short')
    expect(await status()).toBe(200)
    expect((await edit({ password: 'battery staple' })).success).toBe(true)
    expect(await status()).toBe(401)
    expect((await store.users.find(ann.id))?.accessTokenHash).toBe('')
    const login = await send('POST', '/api/user/login', {
      body: { username: 'ann', password: 'battery staple' },
    })
    expect(login.envelope.success).toBe(true)
  })

  it('refuses bad values with the field’s name, and stores nothing', async () => {
    const { edit, ann, store, auditEvents } = await withAnn()
    const refused = async (change: object) => {
      const { code, message } = await edit(change)
      const [field = ''] = Object.keys(change)
      expect(message.toLowerCase()).toContain(field)
      return code
    }
    expect(await refused({ username: ' ' })).toBe('username_invalid')
    expect(await refused({ username: 'x'.repeat(33) })).toBe('username_invalid')
    expect(await refused({ group: '' })).toBe('user_group_unknown')
    expect((await edit({ username: 'admin', quota_change: 5 })).code).toBe('username_taken')
    for (const quota of ['5', 1.5, null, maxBalance * 10])
      expect(await refused({ quota })).toBe('invalid_parameter')
    expect((await edit({ quota_change: maxBalance })).success).toBe(true)
    expect((await edit({ quota_change: 1 })).code).toBe('user_balance_out_of_range')
    expect(await auditEvents()).toHaveLength(1)
    expect(await store.users.find(ann.id)).toEqual({ ...ann, quota: maxBalance })
  })

  it('reads no number that JSON cannot hold', async () => {
    const { ann, raw, loggedIn, admin } = await withAnn()
    for (const text of ['1e309', '-1e309', 'NaN']) {
      const body = `{"id":${ann.id},"quota":${text}}`
      const response = await raw('PUT', '/api/user/', { headers: await loggedIn(admin), body })
      expect(await response.json()).toMatchObject({ success: false, code: 'invalid_parameter' })
    }
  })

  it('is refused for equals and superiors; root edits everybody and itself', async () => {
    const { as, admin, root, createUser, store } = await administration()
    const colleague = await createUser({ role: 'admin' })
    const gone = await createUser()
    await store.users.update(gone.id, { deletedAt: 1 })
    const edit = async (actor: User, { id }: { id: number }) =>
      (await as(actor, 'PUT', '/api/user/', { id, display_name: 'Changed', quota_change: 5 })).code ?? 'done'
    expect(await edit(admin, root)).toBe('user_rank_too_high')
    expect(await edit(admin, colleague)).toBe('user_rank_too_high')
    expect(await edit(admin, admin)).toBe('user_rank_too_high')
    expect(await edit(root, colleague)).toBe('done')
    expect(await edit(root, root)).toBe('done')
    expect(await edit(root, gone)).toBe('user_unknown')
    expect(await edit(root, { id: 4711 })).toBe('user_unknown')
  })
})

describe('managing a user', () => {
  const actions = ['promote', 'demote', 'disable', 'enable', 'delete'] as const

  /** Returns the outcome of each act of `actor` on a fresh target. */
  async function outcomes(actor: Role, target: Role) {
    const { as, admin, root, createUser } = await administration()
    const result: string[] = []
    for (const action of actions) {
      const { id } = target === 'root' ? root : await createUser({ role: target })
      const { code, data } = await as<{ role: number; status: number; DeletedAt: string | null }>(
        actor === 'root' ? root : admin,
        'POST',
        '/api/user/manage',
        { id, action },
      )
      result.push(
        code ?? `role ${data.role}, status ${data.status}${data.DeletedAt === null ? '' : ', gone'}`,
      )
    }
    return result
  }

  it('by an administrator reaches common users alone, and promotes nobody', async () => {
    const above = actions.map(() => 'user_rank_too_high')
    expect(await outcomes('admin', 'common')).toEqual([
      'user_promote_needs_root',
      'user_already_common',
      'role 1, status 2',
      'role 1, status 1',
      'role 1, status 1, gone',
    ])
    expect(await outcomes('admin', 'admin')).toEqual(above)
    expect(await outcomes('admin', 'root')).toEqual(above)
  })

  it('by root reaches everybody but root', async () => {
    expect(await outcomes('root', 'common')).toEqual([
      'role 10, status 1',
      'user_already_common',
      'role 1, status 2',
      'role 1, status 1',
      'role 1, status 1, gone',
    ])
    expect(await outcomes('root', 'admin')).toEqual([
      'user_already_admin',
      'role 1, status 1',
      'role 10, status 2',
      'role 10, status 1',
      'role 10, status 1, gone',
    ])
    expect(await outcomes('root', 'root')).toEqual(actions.map(() => 'user_is_root'))
  })

  it('knows no other acts, and nobody who is not there or not there any more', async () => {
    const { as, admin, createUser } = await administration()
    const { id } = await createUser()
    const manage = async (body: object) => (await as(admin, 'POST', '/api/user/manage', body)).code ?? 'done'
    expect(await manage({ id, action: 'explode' })).toBe('invalid_parameter')
    expect(await manage({ id })).toBe('invalid_parameter')
    expect(await manage({ id: '1', action: 'disable' })).toBe('invalid_parameter')
    expect(await manage({ id: 4711, action: 'disable' })).toBe('user_unknown')
    expect((await as(admin, 'DELETE', `/api/user/${id}`)).success).toBe(true)
    expect((await as(admin, 'DELETE', `/api/user/${id}/`)).code).toBe('user_unknown')
    expect(await manage({ id, action: 'enable' })).toBe('user_unknown')
  })

  it('acts on live sessions at once', async () => {
    const { as, admin, root, createUser, send, loggedIn } = await administration()
    const ann = await createUser()
    const manage = (action: string) => as(root, 'POST', '/api/user/manage', { id: ann.id, action })
    const headers = await loggedIn(ann)
    const call = async (path: string) => {
      const { status, envelope } = await send('GET', path, { headers })
      return status === 200 ? (envelope.code ?? 'ok') : status
    }
    expect(await call('/api/user/')).toBe('permission_denied')
    await manage('promote')
    expect(await call('/api/user/')).toBe('ok')
    await manage('demote')
    expect(await call('/api/user/')).toBe('permission_denied')
    await manage('disable')
    expect(await call('/api/user/self')).toBe(401)
    await manage('enable')
    expect(await call('/api/user/self')).toBe(401)
    const again = await loggedIn(ann)
    expect((await send('GET', '/api/user/self', { headers: again })).status).toBe(200)
    await as(admin, 'DELETE', `/api/user/${ann.id}`)
    expect((await send('GET', '/api/user/self', { headers: again })).status).toBe(401)
  })

  it('is written down with what was before and after', async () => {
    const { as, root, createUser, auditEvents } = await administration()
    const { id, username } = await createUser()
    for (const action of ['promote', 'demote', 'disable', 'enable', 'delete'])
      await as(root, 'POST', '/api/user/manage', { id, action })
    await as(root, 'POST', '/api/user/manage', { id: root.id, action: 'delete' })
    const written = (await auditEvents()).toReversed()
    expect(written.map(({ action }) => action)).toEqual(actions.map((action) => `user.${action}` as const))
    expect(written[0]).toMatchObject({
      actorName: 'root',
      targetName: username,
      before: '{"role":"common"}',
      after: '{"role":"admin"}',
    })
    expect(written[2]).toMatchObject({ before: '{"status":"enabled"}', after: '{"status":"banned"}' })
    expect(written[4]).toMatchObject({ before: '{"deletedAt":null}', after: '{"deletedAt":1800000000}' })
  })

  it('of many is one call with an outcome for each, in the language of the caller', async () => {
    const { admin, root, createUser, send, loggedIn, store, auditEvents } = await administration()
    const users = [await createUser(), await createUser(), await createUser({ role: 'admin' })]
    const ids = [...users.map(({ id }) => id), root.id, 4711, users[0]?.id]
    const headers = { ...(await loggedIn(admin)), 'accept-language': 'zh-CN' }
    const body = { ids, action: 'disable' }
    const { envelope } = await send('POST', '/api/user/manage/batch', { headers, body })
    const { outcomes } = envelope as unknown as { outcomes: RowOutcome[] }
    expect(envelope).toMatchObject({ success: true, data: 2 })
    expect(outcomes.map(({ id, success, code }) => [id, success, code])).toEqual([
      [users[0]?.id, true, undefined],
      [users[1]?.id, true, undefined],
      [users[2]?.id, false, 'user_rank_too_high'],
      [root.id, false, 'user_rank_too_high'],
      [4711, false, 'user_unknown'],
    ] as never)
    expect(outcomes.at(-1)?.message).toBe('用户不存在')
    const after = await store.users.listByIds(users.map(({ id }) => id))
    expect([...after.values()].filter(({ status }) => status === 'banned')).toHaveLength(2)
    expect(await auditEvents('user.disable')).toHaveLength(2)
  })

  it('of many takes a hundred at most and one at least', async () => {
    const { as, admin } = await administration()
    const batch = async (ids: readonly number[]) =>
      (await as(admin, 'POST', '/api/user/manage/batch', { ids, action: 'disable' })).code ?? 'done'
    expect(await batch([])).toBe('invalid_parameter')
    expect(await batch(Array.from({ length: 101 }, (_, id) => id + 1))).toBe('invalid_parameter')
    expect(await batch(Array.from({ length: 100 }, (_, id) => id + 1))).toBe('done')
  })

  it('does not reach a user who is promoted meanwhile', async () => {
    const { as, admin, createUser, store } = await administration()
    const ann = await createUser()
    const { transaction } = store
    store.transaction = (work) =>
      transaction(async (tx) => {
        const { lockByIds } = tx.users
        const raced = {
          ...tx.users,
          async lockByIds(ids: readonly number[]) {
            const found = await lockByIds(ids)
            await tx.users.update(ann.id, { role: 'admin' })
            return found
          },
        }
        return await work({ ...tx, users: raced })
      })
    const { code } = await as(admin, 'POST', '/api/user/manage', { id: ann.id, action: 'disable' })
    expect(code).toBe('user_changed_meanwhile')
    expect((await store.users.find(ann.id))?.status).toBe('enabled')
  })

  it('is closed to those who are no administrators', async () => {
    const { as, createUser } = await administration()
    const ann = await createUser()
    for (const [method, path, body] of [
      ['GET', '/api/user/', undefined],
      ['GET', '/api/user/search?keyword=a', undefined],
      ['POST', '/api/user/', { username: 'x', password: '12345678' }],
      ['PUT', '/api/user/', { id: ann.id, quota_change: 5 }],
      ['POST', '/api/user/manage', { id: ann.id, action: 'promote' }],
      ['POST', '/api/user/manage/batch', { ids: [ann.id], action: 'promote' }],
      ['DELETE', `/api/user/${ann.id}`, undefined],
      ['GET', '/api/audit_log/', undefined],
    ] as const)
      expect((await as(ann, method, path, body)).code).toBe('permission_denied')
  })
})

describe('the audit log', () => {
  it('is paged and filtered by actor, action, target and time', async () => {
    const { as, admin, root, createUser, time } = await administration()
    const [ann, bob] = [await createUser(), await createUser()]
    await as(admin, 'POST', '/api/user/manage', { id: ann.id, action: 'disable' })
    time.ms += 10_000
    await as(root, 'POST', '/api/user/manage', { id: ann.id, action: 'enable' })
    time.ms += 10_000
    await as(root, 'POST', '/api/user/manage', { id: bob.id, action: 'disable' })
    type Rows = {
      items: { action: string; target_id: number; before: string; address: string }[]
      total: number
    }
    const page = async (query: string) => (await as<Rows>(admin, 'GET', `/api/audit_log/?${query}`)).data
    const list = async (query: string) =>
      (await page(query)).items.map(({ action, target_id }) => `${action} ${target_id}`)
    const [first, second, third] = [
      `user.disable ${ann.id}`,
      `user.enable ${ann.id}`,
      `user.disable ${bob.id}`,
    ]
    expect(await list('')).toEqual([third, second, first])
    expect(await page('p=2&page_size=2')).toMatchObject({ total: 3, page: 2, page_size: 2 })
    expect(await list('p=2&page_size=2')).toEqual([first])
    expect(await list('actor=root')).toEqual([third, second])
    expect(await list('actor=nobody')).toEqual([])
    expect(await list('action=user.disable')).toEqual([third, first])
    expect(await list(`target_kind=user&target_id=${ann.id}`)).toEqual([second, first])
    expect(await list('start_timestamp=1800000005&end_timestamp=1800000010')).toEqual([second])
    expect((await page('')).items[0]).toMatchObject({ before: '{"status":"enabled"}', address: '192.0.2.1' })
    for (const query of ['action=dance', 'target_kind=moon'])
      expect((await as(admin, 'GET', `/api/audit_log/?${query}`)).code).toBe('invalid_parameter')
    expect((await as(admin, 'GET', `/api/audit_log/?p=${Number.MAX_SAFE_INTEGER}`)).success).toBe(true)
  })

  it('shows what was done to options to root alone', async () => {
    const { as, admin, root, store } = await administration()
    const act = { createdAt: 5, actorId: root.id, actorName: 'root', actorRole: 'root', address: '' } as const
    const option = {
      action: 'option.update',
      targetKind: 'option',
      targetId: 0,
      targetName: 'SMTPServer',
    } as const
    await store.auditLog.append([{ ...act, ...option, before: '', after: '{"value":"mail"}' }])
    const total = async (reader: User, query = '') =>
      (await as<{ total: number }>(reader, 'GET', `/api/audit_log/${query}`)).data.total
    expect(await total(root)).toBe(1)
    expect(await total(admin)).toBe(0)
    expect(await total(admin, '?target_kind=option')).toBe(0)
    const { id } = (await store.auditLog.page({}, { offset: 0, limit: 1 })).rows[0] ?? { id: 0 }
    expect((await as(root, 'GET', `/api/audit_log/${id}`)).data).toMatchObject({
      id,
      target_name: 'SMTPServer',
    })
    expect((await as(admin, 'GET', `/api/audit_log/${id}`)).code).toBe('record_not_found')
    expect((await as(root, 'GET', `/api/audit_log/${id + 1}`)).code).toBe('record_not_found')
  })
})

describe('one change of many users', () => {
  type Preview = {
    changed: number
    amount: number
    left_out: { reason: string; count: number; usernames: string[] }[]
    confirmation: string
  }

  async function crowd() {
    const console = await administration()
    const { as, createUser, root, store } = console
    const [ann, bob, poor] = [await createUser(), await createUser({ group: 'vip' }), await createUser()]
    for (const user of [ann, bob])
      await as(root, 'PUT', '/api/user/', { id: user.id, quota_change: 1000 - (user.quota ?? 0) })
    const path = '/api/user/many'
    const preview = async (actor: User, body: object) =>
      (await as<Preview>(actor, 'POST', `${path}/preview`, body)).data
    const apply = async (actor: User, body: object, reason = '') =>
      as<number>(actor, 'PUT', path, {
        ...body,
        reason,
        confirmation: (await preview(actor, body)).confirmation,
      })
    const balances = async () =>
      Promise.all([ann, bob, poor].map(async ({ id }) => (await store.users.find(id))?.quota))
    const lastRecord = async () => (await console.auditEvents('user.update-many'))[0]?.id
    const undo = async (actor: User, confirmation = '', id?: number) =>
      as(actor, 'POST', `/api/audit_log/${id ?? (await lastRecord())}/revert?confirmation=${confirmation}`)
    return { ...console, ann, bob, poor, preview, apply, balances, undo, lastRecord }
  }

  it('moves every balance with an entry each and one record, and is taken back once, by one undo', async () => {
    const { root, ann, bob, poor, apply, balances, undo, auditEvents, lastRecord, store } = await crowd()
    const body = { ids: [ann.id, bob.id, poor.id], change: { kind: 'balance', amount: 500 } }
    const before = await balances()
    expect((await apply(root, body, 'sorry')).data).toBe(3)
    expect(await balances()).toEqual(before.map((quota = 0) => quota + 500))
    const [entry] = await store.ledger.list('user', poor.id, 1)
    expect(entry).toMatchObject({ cause: 'admin-change', amount: 500, note: 'by root: sorry' })
    expect(await auditEvents('user.update-many')).toHaveLength(1)
    const asked = await undo(root)
    expect(asked).toMatchObject({
      code: 'confirmation_required',
      consequences: [{ code: 'many_users_balance', details: { users: 3, amount: '-$0.001' } }],
    })
    expect(await balances()).toEqual(before.map((quota = 0) => quota + 500))
    expect((await undo(root, String(Reflect.get(asked, 'confirmation')))).success).toBe(true)
    expect(await balances()).toEqual(before)
    expect((await undo(root, '', await lastRecord())).code).toBe('audit_changed_since')
    expect(await store.audit.findings()).toEqual([])
  })

  it('leaves out who would fall below zero, unless that is meant', async () => {
    const { root, ann, bob, poor, preview, apply, balances } = await crowd()
    const take = { kind: 'balance', amount: -800 }
    const ids = [ann.id, bob.id, poor.id]
    const seen = await preview(root, { ids, change: take })
    expect([seen.changed, seen.amount, seen.left_out]).toEqual([
      2,
      -1600,
      [{ reason: 'below_zero', count: 1, usernames: [poor.username] }],
    ])
    await apply(root, { ids, change: { ...take, below_zero: true } })
    expect((await balances()).at(-1)).toBeLessThan(0)
  })

  it('changes whom the preview showed and nobody else', async () => {
    const { as, root, admin, ann, bob, preview } = await crowd()
    const body = { ids: [ann.id, bob.id, admin.id, root.id, 99_999], change: { kind: 'group', group: 'vip' } }
    const seen = await preview(admin, body)
    expect(seen.left_out.map(({ reason, count }) => [reason, count])).toEqual([
      ['gone', 1],
      ['rank', 2],
      ['unchanged', 1],
    ])
    const send = (confirmation: string) => as(admin, 'PUT', '/api/user/many', { ...body, confirmation })
    expect((await send('')).code).toBe('many_users_changed')
    await as(root, 'PUT', '/api/user/', { id: ann.id, group: 'svip' })
    expect((await send(seen.confirmation)).code).toBe('many_users_changed')
    expect((await send((await preview(admin, body)).confirmation)).data).toBe(1)
  })

  it('gives an amount once for each preview, and to nobody who was given one since', async () => {
    const { as, root, admin, ann, bob, preview, balances } = await crowd()
    const body = { ids: [ann.id, bob.id], change: { kind: 'balance', amount: 500 } }
    const send = async (actor: User, confirmation: string) =>
      (await as(actor, 'PUT', '/api/user/many', { ...body, confirmation })).code ?? 'done'
    const [mine, theirs] = [await preview(root, body), await preview(admin, body)]
    const both = [send(root, mine.confirmation), send(root, mine.confirmation)]
    const all = await Promise.all([...both, send(admin, theirs.confirmation)])
    expect(all.toSorted()).toEqual(['done', 'many_users_changed', 'many_users_changed'])
    expect((await balances()).slice(0, 2)).toEqual([1500, 1500])
    const next = await preview(root, body)
    await as(root, 'PUT', '/api/user/', { id: bob.id, quota_change: 500 })
    expect(await send(root, next.confirmation)).toBe('many_users_changed')
    expect((await balances()).slice(0, 2)).toEqual([1500, 2000])
  })

  it('says what an undo gives back to whom, and leaves as it is, before it does so', async () => {
    const { as, root, ann, bob, poor, apply, undo, store } = await crowd()
    const groupsOf = () =>
      Promise.all([ann, bob, poor].map(async ({ id }) => (await store.users.find(id))?.group))
    await apply(root, { ids: [ann.id, bob.id, poor.id], change: { kind: 'group', group: 'svip' } })
    const whole = await undo(root)
    expect(Reflect.get(whole, 'consequences')).toEqual([
      { code: 'many_users_group', details: { users: 2, group: 'default' } },
      { code: 'many_users_group', details: { users: 1, group: 'vip' } },
    ])
    await as(root, 'PUT', '/api/user/', { id: poor.id, group: 'vip' })
    const asked = await undo(root, String(Reflect.get(whole, 'confirmation')))
    expect([asked.code, asked.message]).toEqual([
      'confirmation_required',
      expect.stringContaining('1 of 3 users stay as they are'),
    ])
    expect((await undo(root, String(Reflect.get(asked, 'confirmation')))).success).toBe(true)
    expect(await groupsOf()).toEqual(['default', 'vip', 'vip'])
    await apply(root, { ids: [bob.id], change: { kind: 'limits', concurrency: 3 } })
    const limits = { code: 'many_users_limits', details: { users: 1 } }
    expect(await undo(root)).toMatchObject({ code: 'confirmation_required', consequences: [limits] })
  })

  it('sets limits of all that match a filter, and gives nothing to accounts near an administrator', async () => {
    const { root, admin, apply, preview, createUser, store } = await crowd()
    const friend = await createUser({ username: 'friend', inviterId: admin.id })
    const limits = { filter: { keyword: 'friend' }, change: { kind: 'limits', concurrency: 3 } }
    expect((await apply(admin, limits)).data).toBe(1)
    expect((await store.users.find(friend.id))?.concurrency).toBe(3)
    const gift = { ids: [friend.id], change: { kind: 'balance', amount: 5 } }
    expect((await preview(admin, gift)).left_out).toMatchObject([{ reason: 'near', count: 1 }])
    expect((await preview(root, gift)).changed).toBe(1)
    expect((await apply(admin, gift)).code).toBe('many_users_none')
  })
})
