import { afterAll, describe, expect, it } from 'bun:test'
import { createHash, createHmac, generateKeyPairSync, sign as signBytes } from 'node:crypto'
import type { Token } from '@tollgate/api'
import { createFindKey } from '../../../accounts/tokens/find-key.ts'
import { createFreezeKey } from '../../../accounts/tokens/freeze-key.ts'
import { storedHash } from '../../../accounts/tokens/hashed-key.ts'
import { createLeakReports } from '../../../accounts/tokens/leak-reports.ts'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { createEventBus } from '../../../lib/async/event-bus.ts'
import { createVault, sha256 } from '../../../lib/crypto.ts'
import { createAuditLog } from '../../../records/audit-log/audit-log.ts'
import type { ChangeEvents } from '../../../store/change-events.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import { consoleFixture, type FixtureOptions, type FixtureParts } from '../test-support/console-fixture.ts'
import { leakReportRoutes } from './key-routes.ts'

afterAll(closeTestStores)

async function withOwner(settings: Record<string, string> = {}, routes: FixtureOptions['routes'] = []) {
  const fixture = await consoleFixture({ settings, routes })
  const owner = await fixture.createUser({ group: 'staff' })
  const headers = await fixture.loggedIn(owner)
  const changed: string[] = []
  fixture.bus.subscribe('token-changed', ({ keyHash }) => changed.push(keyHash))

  const ask = async (method: string, path: string, body?: unknown) =>
    (await fixture.send(method, path, { headers, ...(body !== undefined && { body }) })).envelope
  const create = async (fields: object = {}) => {
    const { data } = await ask('POST', '/api/token/', { name: 'laptop', remain_quota: 100, ...fields })
    return data as Token
  }
  const read = async (id: number) => (await ask('GET', `/api/token/${id}`)).data as Token
  return {
    ...fixture,
    owner,
    headers,
    changed,
    ask,
    create,
    read,
    now: () => Math.floor(fixture.time.ms / 1000),
  }
}

type Owner = Awaited<ReturnType<typeof withOwner>>

describe('creating a key', () => {
  it('returns the full key of 48 characters, and stores only its hash and a sealed copy', async () => {
    const { create, store, vault, owner, changed, now } = await withOwner()
    const token = await create({ expired_time: -1, model_limits: 'a, b,a', allow_ips: '10.0.0.0/8\n::1' })
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
    expect(token).toMatchObject({
      user_id: owner.id,
      name: 'laptop',
      status: 1,
      expired_time: -1,
      remain_quota: 100,
      used_quota: 0,
      unlimited_quota: false,
      model_limits: 'a,b',
      allow_ips: '10.0.0.0/8\n::1',
      group: '',
      created_time: now(),
      DeletedAt: null,
    })
    const stored = await store.tokens.find(token.id)
    expect(stored?.keyHash).toBe(vault.hash(token.key))
    expect(JSON.stringify(stored)).not.toContain(token.key)
    expect(changed).toEqual([vault.hash(token.key)])
  })

  it('gives it its quota through a ledger entry', async () => {
    const { create, store, owner } = await withOwner()
    const token = await create({ remain_quota: 700 })
    expect(await store.ledger.list('token', token.id, 10)).toMatchObject([
      { cause: 'initial', amount: 700, actorId: owner.id },
    ])
    expect(await store.ledger.list('token', (await create({ remain_quota: 0 })).id, 10)).toEqual([])
  })

  it('takes 0 as never, as older programs send it', async () => {
    const { create } = await withOwner()
    expect((await create({ expired_time: 0 })).expired_time).toBe(-1)
  })

  it.each([
    ['token_name_required', { name: '' }],
    ['token_name_too_long', { name: '长'.repeat(31) }],
    ['token_quota_invalid', { remain_quota: -1 }],
    ['token_expiry_past', { expired_time: 1 }],
    ['token_expiry_invalid', { expired_time: -2 }],
    ['token_address_invalid', { allow_ips: '10.0.0.1\nnot-an-address' }],
    ['token_group_not_usable', { group: 'secret-group' }],
    [
      'token_models_too_long',
      { model_limits: Array.from({ length: 500 }, (_, n) => `a-long-model-${n}`).join(',') },
    ],
    ['invalid_parameter', { remain_quota: 1.5 }],
    ['invalid_parameter', { remain_quota: '100' }],
    ['invalid_parameter', { remain_quota: 2 ** 60 }],
    ['invalid_parameter', { unlimited_quota: 'yes' }],
  ])('is refused with %s and creates nothing', async (code, fields) => {
    const { ask } = await withOwner()
    const refused = await ask('POST', '/api/token/', { name: 'laptop', ...fields })
    expect(refused.code).toBe(code as NonNullable<typeof refused.code>)
    expect((await ask('GET', '/api/token/')).data).toEqual([])
  })

  it('accepts groups open to the owner, and the own one', async () => {
    const { create } = await withOwner({
      GroupRatio: JSON.stringify({ default: 1, vip: 1, staff: 1 }),
      UserUsableGroups: JSON.stringify({ default: 'Default', vip: 'VIP' }),
    })
    expect((await create({ group: 'vip' })).group).toBe('vip')
    expect((await create({ group: 'staff' })).group).toBe('staff')
  })

  it('refuses a group without a ratio, in which every call would be refused', async () => {
    const { ask } = await withOwner({
      GroupRatio: JSON.stringify({ default: 1 }),
      UserUsableGroups: JSON.stringify({ default: 'Default', gone: 'Gone' }),
    })
    for (const group of ['gone', 'staff'])
      expect((await ask('POST', '/api/token/', { name: 'a', group })).code).toBe('token_group_not_usable')
  })
})

describe('listing keys', () => {
  it('pages from 0, newest first, with whole keys, and shows nobody else’s', async () => {
    const { create, ask, createUser, loggedIn, send } = await withOwner()
    for (let count = 1; count <= 5; count++) await create({ name: `key ${count}` })
    const names = async (query: string) =>
      ((await ask('GET', `/api/token/${query}`)).data as Token[]).map(({ name }) => name)
    expect(await names('?p=0&size=2')).toEqual(['key 5', 'key 4'])
    expect(await names('?p=2&size=2')).toEqual(['key 1'])
    expect(await names('?p=9007199254740991&size=100')).toEqual([])
    expect(await names('')).toHaveLength(5)
    expect(((await ask('GET', '/api/token/')).data as Token[])[0]?.key).toMatch(/^[0-9A-Za-z]{48}$/)
    const stranger = await loggedIn(await createUser())
    expect((await send('GET', '/api/token/', { headers: stranger })).envelope.data).toEqual([])
  })

  it('shows what is left and used as of now, and a key that has run out as such', async () => {
    const { create, read, ledger, time } = await withOwner()
    const token = await create({ remain_quota: 100 })
    await ledger.charge('token', token.id, 40)
    expect(await read(token.id)).toMatchObject({ remain_quota: 60, used_quota: 40, status: 1 })
    await ledger.charge('token', token.id, 70)
    expect(await read(token.id)).toMatchObject({ remain_quota: -10, used_quota: 110, status: 4 })
    const brief = await create({ expired_time: Math.floor(time.ms / 1000) + 10 })
    time.ms += 11_000
    expect((await read(brief.id)).status).toBe(3)
  })
})

describe('masked keys', () => {
  it('are whole when they are created, and have their ends alone in every later answer', async () => {
    const { create, ask, read } = await withOwner({ TokenKeyMaskingEnabled: 'true' })
    const token = await create()
    expect(token.key).toMatch(/^[0-9A-Za-z]{48}$/)
    const masked = `${token.key.slice(0, 4)}**********${token.key.slice(-4)}`
    const responseBodies = [
      ['GET', '/api/token/?p=0&size=10'],
      ['GET', `/api/token/search?token=${token.key}`],
      ['GET', `/api/token/${token.id}`],
      ['PUT', '/api/token/', { id: token.id, name: 'desktop' }],
      ['PUT', '/api/token/?status_only=true', { id: token.id, status: 2 }],
    ] as const
    for (const [method, path, body] of responseBodies) {
      const text = JSON.stringify(await ask(method, path, body))
      expect(text).toContain(masked)
      if (!path.includes('search')) expect(text).not.toContain(token.key)
    }
    expect((await read(token.id)).key).toBe(masked)
  })

  it('are shown by their end alone while only a hash of them is known', async () => {
    const { create, ask, store, vault } = await withOwner()
    const [known, { id, key }] = [await create(), await create({ name: 'imported' })]
    const hash = storedHash(sha256(`sk-${key}`))
    await store.tokens.adoptKey(id, vault.hash(key), {
      keyHash: hash,
      keySealed: '',
      keyHead: '',
      keyTail: key.slice(-4),
    })
    const listed = (await ask('GET', '/api/token/')).data as { id: number; key: string }[]
    expect(listed.find((row) => row.id === id)?.key).toBe(`**********${key.slice(-4)}`)
    expect((await ask('POST', '/api/token/keys', { ids: [id] })).code).toBe('token_key_unknown')
    expect((await ask('POST', '/api/token/keys', { ids: [id, known.id] })).data).toEqual([
      { id: known.id, key: known.key },
    ])
    expect((await ask('PUT', '/api/token/', { id, name: 'renamed' })).data).toMatchObject({ name: 'renamed' })
  })

  it('are revealed to their owner alone, which is written down before', async () => {
    const { create, ask, store, owner, createUser, loggedIn, send } = await withOwner({
      TokenKeyMaskingEnabled: 'true',
    })
    const [one, two] = [await create(), await create({ name: 'phone' })]
    const ids = [one.id, two.id]
    const { data } = await ask('POST', '/api/token/keys', { ids })
    expect(data).toEqual(expect.arrayContaining([one, two].map(({ id, key }) => ({ id, key }))))
    const auditEvents = async () =>
      (await store.auditLog.page({ action: 'token.reveal-key' }, { offset: 0, limit: 100 })).rows.filter(
        ({ targetId }) => ids.includes(targetId),
      )
    expect(await auditEvents()).toHaveLength(2)
    expect((await auditEvents()).every(({ actorId }) => actorId === owner.id)).toBe(true)
    expect(JSON.stringify(await auditEvents())).not.toContain(one.key)
    const root = await loggedIn(await createUser({ role: 'root' }))
    const others = await send('POST', '/api/token/keys', { headers: root, body: { ids } })
    expect(others.envelope.data).toEqual([])
    expect(await auditEvents()).toHaveLength(2)
    store.auditLog.append = () => Promise.reject(new Error('the disk is full'))
    expect((await ask('POST', '/api/token/keys', { ids })).code).toBe('internal_error')
  })

  it('are kept by no cache on the way', async () => {
    const { raw, headers, create } = await withOwner()
    await create()
    for (const path of ['/api/token/', '/api/token/search'])
      expect((await raw('GET', path, { headers })).headers.get('cache-control')).toBe('no-store')
  })
})

describe('searching keys', () => {
  const found = async ({ ask }: Owner, query: string) =>
    ((await ask('GET', `/api/token/search?${query}`)).data as Token[]).map(({ name }) => name)

  it('finds by part of a name, by a whole key with or without sk-, and by both', async () => {
    const owner = await withOwner()
    const desk = await owner.create({ name: 'desk computer' })
    await owner.create({ name: 'phone' })
    expect(await found(owner, 'keyword=comp&token=')).toEqual(['desk computer'])
    expect(await found(owner, `keyword=&token=${desk.key}`)).toEqual(['desk computer'])
    expect(await found(owner, `token=sk-${desk.key}`)).toEqual(['desk computer'])
    expect(await found(owner, `keyword=phone&token=${desk.key}`)).toEqual([])
    expect(await found(owner, 'keyword=&token=')).toEqual(['phone', 'desk computer'])
  })

  it('finds by what is shown of a masked key, not by other parts, and nobody else’s key', async () => {
    const owner = await withOwner()
    const { key } = await owner.create()
    await owner.create({ name: 'other' })
    expect(await found(owner, `token=${key.slice(0, 10)}`)).toEqual([])
    expect(await found(owner, `token=sk-${key.slice(0, 4)}…${key.slice(-4)}`)).toEqual(['laptop'])
    expect(await found(owner, `token=${key.slice(-4)}`)).toEqual(['laptop'])
    const headers = await owner.loggedIn(await owner.createUser())
    const { envelope } = await owner.send('GET', `/api/token/search?token=${key}`, { headers })
    expect(envelope.data).toEqual([])
  })

  it('takes the characters of a pattern literally', async () => {
    const owner = await withOwner()
    await owner.create({ name: 'plain' })
    await owner.create({ name: '100% sure_thing' })
    expect(await found(owner, 'keyword=%25')).toEqual(['100% sure_thing'])
    expect(await found(owner, 'keyword=e_t')).toEqual(['100% sure_thing'])
  })
})

describe('filtering, sorting and counting keys', () => {
  it('returns the total with every page, of the list and of a search', async () => {
    const { create, owner, headers, send } = await withOwner()
    for (let count = 1; count <= 12; count++) await create({ name: `key ${count}` })
    const requested = async (path: string) => {
      const { envelope } = await send('GET', path, { headers })
      return [(envelope.data as Token[]).length, (envelope as { total?: number }).total]
    }
    expect(owner.id).toBeGreaterThan(0)
    expect(await requested('/api/token/?p=0&size=5')).toEqual([5, 12])
    expect(await requested('/api/token/')).toEqual([10, 12])
    expect(await requested('/api/token/search?keyword=key 1')).toEqual([4, 4])
    expect(await requested('/api/token/search?keyword=key 1&p=1&size=3')).toEqual([1, 4])
    expect(await requested('/api/token/search')).toEqual([12, 12])
  })

  it('keeps to a status as it is shown, and sorts as asked; what it does not know it leaves out or ignores', async () => {
    const { create, ask, owner } = await withOwner()
    expect(owner.id).toBeGreaterThan(0)
    await create({ name: 'b', remain_quota: 5 })
    await create({ name: 'a', remain_quota: 7 })
    await create({ name: 'empty', remain_quota: 0 })
    const names = async (query: string) =>
      ((await ask('GET', `/api/token/?${query}`)).data as Token[]).map(({ name }) => name)
    expect(await names('status=4')).toEqual(['empty'])
    expect(await names('status=1&sort=name&order=asc')).toEqual(['a', 'b'])
    expect(await names('sort=remain_quota')).toEqual(['a', 'b', 'empty'])
    expect(await names('status=9')).toEqual([])
    expect(await names('sort=key_sealed&order=sideways')).toEqual(['empty', 'a', 'b'])
  })
})

describe('changing several keys at once', () => {
  it('does what can be done, says what became of each, and tells the relay', async () => {
    const { create, ask, read, changed, createUser, loggedIn, send } = await withOwner()
    const good = await create()
    const empty = await create({ remain_quota: 0 })
    const strangers = await loggedIn(await createUser())
    const foreign = (await send('POST', '/api/token/', { headers: strangers, body: { name: 'theirs' } }))
      .envelope.data as Token
    await ask('POST', '/api/token/batch', { ids: [good.id, empty.id], action: 'disable' })
    expect((await read(good.id)).status).toBe(2)
    changed.length = 0
    const enabled = await ask('POST', '/api/token/batch', {
      ids: [good.id, empty.id, foreign.id, 987_654, good.id],
      action: 'enable',
    })
    expect(enabled).toMatchObject({
      success: true,
      data: 1,
      outcomes: [
        { id: good.id, success: true, message: '' },
        { id: empty.id, success: false, code: 'token_exhausted_enable' },
        { id: foreign.id, success: false, code: 'record_not_found' },
        { id: 987_654, success: false, code: 'record_not_found' },
      ],
    })
    expect(changed).toHaveLength(1)
    expect((await read(good.id)).status).toBe(1)
    const deleted = await ask('POST', '/api/token/batch', { ids: [good.id, empty.id], action: 'delete' })
    expect(deleted.data).toBe(2)
    expect((await ask('GET', '/api/token/')).data).toEqual([])
    expect((await send('GET', `/api/token/${foreign.id}`, { headers: strangers })).envelope.success).toBe(
      true,
    )
  })

  it.each([
    { ids: [] },
    { ids: Array.from({ length: 1001 }, (_, n) => n + 1) },
    { ids: [-1] },
    { ids: ['1'] },
    {},
  ])('is refused for a list that is none, or too long', async (body) => {
    const { ask } = await withOwner()
    expect((await ask('POST', '/api/token/batch', { action: 'delete', ...body })).code).toBe(
      'invalid_parameter',
    )
  })
})

describe('editing a key', () => {
  it('changes what is sent, leaves the rest, and cannot touch key, owner or use', async () => {
    const { create, ask, changed } = await withOwner()
    const token = await create({ model_limits: 'a', model_limits_enabled: true })
    const { data } = await ask('PUT', '/api/token/', {
      id: token.id,
      name: 'renamed',
      key: 'x'.repeat(48),
      user_id: 1,
      used_quota: 0,
      created_time: 1,
    })
    expect(data).toEqual({ ...token, name: 'renamed' })
    expect(changed).toHaveLength(2)
  })

  it('accepts the whole token as a console sends it back', async () => {
    const { create, ask, read } = await withOwner()
    const token = await create()
    expect((await ask('PUT', '/api/token/', token)).success).toBe(true)
    expect(await read(token.id)).toEqual(token)
  })

  it('accepts a body that changes nothing', async () => {
    const { create, ask } = await withOwner()
    const token = await create()
    expect((await ask('PUT', '/api/token/', { id: token.id })).data).toEqual(token)
  })

  it('moves the balance by a ledger entry of the difference to the balance of that moment', async () => {
    const { create, ask, read, ledger, store, owner } = await withOwner()
    const token = await create({ remain_quota: 100 })
    await ledger.charge('token', token.id, 30)
    await ask('PUT', '/api/token/', { id: token.id, remain_quota: 500 })
    expect((await read(token.id)).remain_quota).toBe(500)
    expect(await store.ledger.list('token', token.id, 1)).toMatchObject([
      { cause: 'owner-change', amount: 430, actorId: owner.id },
    ])
  })

  it('keeps an expiry that has passed when it is sent back, and refuses a new one in the past', async () => {
    const { create, ask, time, now } = await withOwner()
    const expired_time = now() + 10
    const { id } = await create({ expired_time })
    time.ms += 20_000
    expect((await ask('PUT', '/api/token/', { id, name: 'old', expired_time })).success).toBe(true)
    for (const [wrong, code] of [
      [expired_time + 1, 'token_expiry_past'],
      [0, 'token_expiry_invalid'],
      [-2, 'token_expiry_invalid'],
    ] as const)
      expect((await ask('PUT', '/api/token/', { id, expired_time: wrong })).code).toBe(code)
    expect((await ask('PUT', '/api/token/', { id, expired_time: -1 })).data).toMatchObject({
      expired_time: -1,
    })
  })

  it('keeps a group the owner has lost, but lets nobody choose it', async () => {
    const owner = await withOwner({ UserUsableGroups: JSON.stringify({ default: 'Default', vip: 'VIP' }) })
    const { id } = await owner.create({ group: 'vip' })
    await owner.settings.set('UserUsableGroups', JSON.stringify({ default: 'Default' }))
    expect((await owner.ask('PUT', '/api/token/', { id, name: 'kept', group: 'vip' })).success).toBe(true)
    await owner.ask('PUT', '/api/token/', { id, group: '' })
    expect((await owner.ask('PUT', '/api/token/', { id, group: 'vip' })).code).toBe('token_group_not_usable')
  })

  it('brings a used-up key back by its quota alone, and refuses status 1 without it', async () => {
    const owner = await withOwner()
    const { id } = await owner.create({ remain_quota: 10 })
    await owner.ledger.charge('token', id, 10)
    expect((await owner.ask('PUT', '/api/token/', { id, name: 'x', status: 1 })).code).toBe(
      'token_exhausted_enable',
    )
    expect(await owner.read(id)).toMatchObject({ name: 'laptop', status: 4 })
    const raised = await owner.ask('PUT', '/api/token/', { id, remain_quota: 5 })
    expect(raised.data).toMatchObject({ status: 1, remain_quota: 5 })
    await owner.ledger.charge('token', id, 5)
    expect(await owner.read(id)).toMatchObject({ status: 4 })
    expect((await owner.ask('PUT', '/api/token/', { id, unlimited_quota: true })).data).toMatchObject({
      status: 1,
    })
  })

  it('brings an expired key back by its expiry alone, and refuses status 1 without it', async () => {
    const owner = await withOwner()
    const { id } = await owner.create({ expired_time: owner.now() + 10 })
    owner.time.ms += 20_000
    expect((await owner.ask('PUT', '/api/token/', { id, status: 1 })).code).toBe('token_expired_enable')
    expect(await owner.read(id)).toMatchObject({ status: 3 })
    expect((await owner.ask('PUT', '/api/token/', { id, expired_time: -1 })).data).toMatchObject({
      status: 1,
    })
  })

  it('does not enable a key that its owner disabled', async () => {
    const { create, ask } = await withOwner()
    const token = await create()
    await ask('PUT', '/api/token/?status_only=true', { id: token.id, status: 2 })
    expect((await ask('PUT', '/api/token/', { ...token, name: 'x' })).data).toMatchObject({
      status: 2,
      name: 'x',
    })
  })
})

describe('switching a key', () => {
  const setStatus = ({ ask }: Owner, id: number, status?: number) =>
    ask('PUT', '/api/token/?status_only=true', { id, status, name: 'ignored' })

  it('changes the status alone, both ways, and answers the key', async () => {
    const owner = await withOwner()
    const token = await owner.create()
    expect((await setStatus(owner, token.id, 2)).data).toEqual({ ...token, status: 2 })
    expect((await setStatus(owner, token.id, 1)).data).toEqual(token)
    expect(owner.changed).toHaveLength(3)
  })

  it.each([0, 3, 4, 99, undefined])('refuses the status %p', async (status) => {
    const owner = await withOwner()
    const { id } = await owner.create()
    expect((await setStatus(owner, id, status)).code).toBe('token_status_invalid')
  })

  it('refuses to enable what has run out, judged by what is true now', async () => {
    const owner = await withOwner()
    const spent = await owner.create({ remain_quota: 10 })
    await owner.ledger.charge('token', spent.id, 10)
    expect((await setStatus(owner, spent.id, 1)).code).toBe('token_exhausted_enable')
    const old = await owner.create({ expired_time: owner.now() + 1 })
    owner.time.ms += 5000
    expect((await setStatus(owner, old.id, 1)).code).toBe('token_expired_enable')
    expect((await setStatus(owner, old.id, 2)).data).toMatchObject({ status: 2 })
    const unlimited = await owner.create({ remain_quota: 0, unlimited_quota: true })
    expect((await setStatus(owner, unlimited.id, 1)).success).toBe(true)
  })
})

describe('deleting a key', () => {
  it('takes it out of every answer, but not out of the books', async () => {
    const { create, ask, store, changed, vault } = await withOwner()
    const token = await create()
    expect(await ask('DELETE', `/api/token/${token.id}/`)).toEqual({ success: true, message: '' })
    expect((await ask('GET', '/api/token/')).data).toEqual([])
    expect((await ask('GET', `/api/token/${token.id}`)).code).toBe('record_not_found')
    expect((await ask('DELETE', `/api/token/${token.id}`)).code).toBe('record_not_found')
    expect((await store.tokens.listByKeyHashes([vault.hash(token.key)])).size).toBe(0)
    expect(await store.ledger.list('token', token.id, 10)).toHaveLength(1)
    expect(changed.at(-1)).toBe(vault.hash(token.key))
  })
})

it('no user can read, change, switch or delete the key of another user, not even root', async () => {
  const { create, read, createUser, loggedIn, send } = await withOwner()
  const token = await create()
  const headers = await loggedIn(await createUser({ role: 'root' }))
  const { id } = token
  const tries = [
    send('GET', `/api/token/${id}`, { headers }),
    send('PUT', '/api/token/', { headers, body: { id, name: 'mine' } }),
    send('PUT', '/api/token/?status_only=true', { headers, body: { id, status: 2 } }),
    send('DELETE', `/api/token/${id}`, { headers }),
  ]
  for (const { envelope } of await Promise.all(tries)) expect(envelope.code).toBe('record_not_found')
  expect(await read(id)).toEqual(token)
})

describe('the keys of one user', () => {
  it('have a limit, which deleted ones do not count towards', async () => {
    const { ask, create } = await withOwner()
    const first = await create()
    for (let made = 1; made < 100; made += 1) await create()
    const body = { name: 'one more', remain_quota: 0 }
    expect(await ask('POST', '/api/token/', body)).toMatchObject({ code: 'token_too_many' })
    await ask('DELETE', `/api/token/${first.id}`)
    expect((await ask('POST', '/api/token/', body)).success).toBe(true)
  })
})

/** An owner with a key, an administrator, and what each is answered. */
async function withLeak(role: 'admin' | 'root' = 'admin') {
  const world = await withOwner()
  const admin = await world.createUser({ role })
  const adminHeaders = await world.loggedIn(admin)
  const key = await world.create()
  const asAdmin = async (method: string, path: string, body?: unknown) =>
    (await world.send(method, path, { headers: adminHeaders, ...(body !== undefined && { body }) })).envelope
  const call = async (presented = key.key, from?: string) =>
    (
      await world.send('GET', '/api/usage/token', {
        headers: { authorization: `Bearer sk-${presented}` },
        ...(from !== undefined && { from }),
      })
    ).envelope
  return { ...world, admin, adminHeaders, key, asAdmin, call }
}

describe('a key that somebody found', () => {
  it('is known by its text to administrators above its owner, with its addresses and without itself', async () => {
    const { asAdmin, key, owner, call } = await withLeak()
    await call(key.key, '192.0.2.7')
    await call(key.key, '192.0.2.7')
    for (const text of [key.key, `sk-${key.key}`, ` Bearer sk-${key.key}-12 `]) {
      const { data } = await asAdmin('POST', '/api/key/find', { key: text })
      expect(data).toMatchObject({
        ...{ id: key.id, name: 'laptop', user_id: owner.id, username: owner.username, status: 1 },
        ...{ key: `${key.key.slice(0, 4)}**********${key.key.slice(-4)}`, may_freeze: true, replaced: null },
        addresses: [{ address: '192.0.2.7', calls: 2 }],
      })
      expect(JSON.stringify(data)).not.toContain(key.key)
    }
  })

  it('is found when it is deleted, and cannot be frozen any more', async () => {
    const { asAdmin, ask, key } = await withLeak()
    await ask('DELETE', `/api/token/${key.id}`)
    const { data } = await asAdmin('POST', '/api/key/find', { key: key.key })
    expect(data).toMatchObject({ id: key.id, may_freeze: false })
    expect((data as { deleted_at: number }).deleted_at).toBeGreaterThan(0)
    expect((await asAdmin('POST', `/api/key/${key.id}/freeze`, {})).code).toBe('key_not_found')
  })

  it('is as unknown as any text to other users, and to administrators of no higher rank', async () => {
    const { send, createUser, loggedIn, key, ask } = await withLeak()
    const headers = await loggedIn(await createUser())
    const answers = []
    for (const text of [key.key, 'x'.repeat(48)])
      answers.push(await send('POST', '/api/token/find', { headers, body: { key: text } }))
    const [ofAnother, ofNobody] = answers.map(({ status, envelope }) => ({ status, envelope }))
    expect(ofAnother).toEqual(ofNobody as never)
    expect(ofAnother?.envelope.code).toBe('key_not_found')
    expect((await ask('POST', '/api/token/find', { key: key.key })).data).toMatchObject({ id: key.id })
    const rival = await withLeak()
    await rival.store.users.update(rival.owner.id, { role: 'admin' })
    rival.bus.publish('user-changed', { id: rival.owner.id })
    expect((await rival.asAdmin('POST', '/api/key/find', { key: rival.key.key })).code).toBe('key_not_found')
    expect((await rival.asAdmin('GET', `/api/key/${rival.key.id}`)).code).toBe('key_not_found')
    expect((await rival.asAdmin('POST', `/api/key/${rival.key.id}/freeze`, {})).code).toBe('key_not_found')
    expect((await send('POST', '/api/key/find', { headers, body: { key: key.key } })).envelope.code).toBe(
      'permission_denied',
    )
  })
})

describe('a frozen key', () => {
  it('is refused at once, says why to its owner, who cannot enable it, and comes back as it was', async () => {
    const { asAdmin, ask, key, call, read, bus, store } = await withLeak()
    const told: unknown[] = []
    bus.subscribe('key-frozen', (frozen) => told.push(frozen))
    expect((await call()).success).toBe(true)
    expect((await asAdmin('POST', `/api/key/${key.id}/freeze`, { note: 'in a gist' })).success).toBe(true)
    expect((await call()).message).toContain('is frozen')
    expect(await read(key.id)).toMatchObject({
      ...{ status: 2, freeze_cause: 'administrator', freeze_note: 'in a gist' },
    })
    for (const enable of [
      () => ask('PUT', '/api/token/?status_only=true', { id: key.id, status: 1 }),
      () => ask('PUT', '/api/token/', { id: key.id, name: 'renamed', status: 1 }),
      () => ask('POST', '/api/token/batch', { ids: [key.id], action: 'enable' }),
    ])
      await enable()
    expect((await ask('PUT', '/api/token/?status_only=true', { id: key.id, status: 1 })).code).toBe(
      'token_frozen',
    )
    expect((await call()).message).toContain('is frozen')
    expect(told).toMatchObject([{ name: 'laptop', cause: 'administrator', note: 'in a gist' }])
    expect(JSON.stringify(told)).not.toContain(key.key)
    await asAdmin('POST', `/api/key/${key.id}/freeze`, { note: 'again' })
    await asAdmin('POST', `/api/key/${key.id}/unfreeze`)
    expect((await call()).success).toBe(true)
    expect(await read(key.id)).toMatchObject({ status: 1, frozen_at: 0, freeze_note: '' })
    const { rows } = await store.auditLog.page(
      { targetKind: 'token', targetId: key.id },
      { offset: 0, limit: 9 },
    )
    expect(rows.map(({ action }) => action)).toEqual(['token.unfreeze', 'token.freeze'])
    expect(JSON.stringify(rows)).not.toContain(key.key)
  })
})

describe('a rotated key', () => {
  it('has another text with the same id and quota, and the former one works for the overlap alone', async () => {
    const { ask, key, call, time, store } = await withLeak()
    expect((await call()).success).toBe(true)
    const { data } = await ask('POST', `/api/token/${key.id}/rotate`, { overlap_seconds: 3600 })
    const next = data as Token
    expect(next).toMatchObject({ id: key.id, name: 'laptop', remain_quota: 100 })
    expect(next.key).not.toBe(key.key)
    for (const text of [key.key, next.key]) expect((await call(text)).success).toBe(true)
    const { data: former } = await ask('GET', `/api/token/${key.id}/former_keys`)
    expect(former).toMatchObject([{ key: `${key.key.slice(0, 4)}**********${key.key.slice(-4)}` }])
    time.ms += 3_600_000
    expect((await call()).code).toBe('relay_key_invalid')
    expect((await call(next.key)).success).toBe(true)
    const { rows } = await store.auditLog.page(
      { targetKind: 'token', targetId: key.id },
      { offset: 0, limit: 9 },
    )
    expect(rows.map(({ action }) => action)).toEqual(['token.rotate'])
  })

  it('has no former one at once where its owner says so, or ends them, or the key is frozen', async () => {
    const { ask, asAdmin, key, call } = await withLeak()
    const rotate = async (overlap_seconds: number) =>
      ((await ask('POST', `/api/token/${key.id}/rotate`, { overlap_seconds })).data as Token).key
    const second = await rotate(0)
    expect((await call()).code).toBe('relay_key_invalid')
    const third = await rotate(60)
    for (const text of [second, third]) expect((await call(text)).success).toBe(true)
    expect((await ask('DELETE', `/api/token/${key.id}/former_keys`)).data).toBe(1)
    expect((await call(second)).code).toBe('relay_key_invalid')
    const fourth = await rotate(60)
    expect((await call(third)).success).toBe(true)
    await asAdmin('POST', `/api/key/${key.id}/freeze`, {})
    for (const text of [third, fourth]) expect((await call(text)).message).toContain('is frozen')
    expect((await ask('POST', `/api/token/${key.id}/rotate`, {})).code).toBe('token_frozen')
    expect((await asAdmin('POST', '/api/key/find', { key: second })).data).toMatchObject({ id: key.id })
  })

  it('gives each of two rotations at once a key that works, and has a bound of former ones', async () => {
    const { ask, key, call } = await withLeak()
    const rotate = async () => await ask('POST', `/api/token/${key.id}/rotate`, { overlap_seconds: 60 })
    const both = await Promise.all([rotate(), rotate()])
    for (const { data } of both) expect((await call((data as Token).key)).success).toBe(true)
    expect((await call()).success).toBe(true)
    for (let more = 0; more < 3; more += 1) expect((await rotate()).success).toBe(true)
    expect((await rotate()).code).toBe('former_keys_too_many')
  })

  it('is rotated by its owner alone', async () => {
    const { asAdmin, key } = await withLeak()
    expect((await asAdmin('POST', `/api/token/${key.id}/rotate`, {})).code).toBe('record_not_found')
    expect((await asAdmin('GET', `/api/token/${key.id}/former_keys`)).code).toBe('record_not_found')
    expect((await asAdmin('DELETE', `/api/token/${key.id}/former_keys`)).code).toBe('record_not_found')
  })
})

describe('a report of leaked keys', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const secretScanning = {
    SecretScanningPublicKeys: JSON.stringify({ 'key-1': pem }),
    SecretScanningSecret: createVault('a master key for tests, long enough to be one').seal(
      'hush',
      sealContexts.option('SecretScanningSecret'),
    ),
  }

  function leakRoutes({ clock, ...parts }: FixtureParts) {
    const auditLog = createAuditLog({ ...parts, clock })
    const bus = createEventBus<ChangeEvents>(() => undefined)
    const services = { ...parts, clock, auditLog, bus, addresses: { write: async () => {} } }
    const findKey = createFindKey(services)
    const freezeKey = createFreezeKey(services)
    return leakReportRoutes(createLeakReports({ ...parts, findKey, freezeKey }))
  }

  async function report(
    settings: Record<string, string>,
    sign: (body: string) => Record<string, string>,
    prepare: (world: Owner, id: number) => Promise<unknown> = async () => undefined,
  ) {
    const world = await withOwner(settings, leakRoutes)
    const key = await world.create()
    await prepare(world, key.id)
    const url = 'https://code.example/ann/repo/blob/config.ts'
    const odd = { token: 'x'.repeat(1500), type: 't'.repeat(300), url: 5, source: {} }
    const body = JSON.stringify([
      ...[null, 5, { type: 'tollgate_api_key' }],
      ...Array.from({ length: 300 }, () => odd),
      { token: `sk-${key.key}`, type: 'tollgate_api_key', url, source: 'content' },
      { token: `sk-${'x'.repeat(48)}`, type: 'tollgate_api_key', url, source: 'content' },
    ])
    const response = await world.raw('POST', '/api/secret_scanning', {
      body: new TextEncoder().encode(body),
      headers: { 'content-type': 'application/json', ...sign(body) },
    })
    return { ...world, key, url, status: response.status, text: await response.text() }
  }
  const byKey = (body: string, identifier = 'key-1') => ({
    'github-public-key-identifier': identifier,
    'github-public-key-signature': signBytes('sha256', Buffer.from(body), pair.privateKey).toString('base64'),
  })
  const byHmac = (body: string, secret = 'hush') => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })

  it.each([
    ['a public key', byKey],
    ['the shared secret', byHmac],
  ] as const)('freezes what is a key here and says which texts are, when %s signed it', async (_, sign) => {
    const { status, text, key, url, read, store } = await report(secretScanning, sign)
    expect(status).toBe(200)
    const all = JSON.parse(text) as { readonly label: string; readonly token_hash: string }[]
    expect(all).toHaveLength(302)
    const verdicts = all.slice(-2)
    expect(verdicts.map(({ label }) => label)).toEqual(['true_positive', 'false_positive'])
    expect(verdicts[0]?.token_hash).toBe(createHash('sha256').update(`sk-${key.key}`).digest('base64'))
    expect(await read(key.id)).toMatchObject({ status: 2, freeze_cause: 'leak', freeze_note: url })
    const { rows } = await store.auditLog.page(
      { targetKind: 'token', targetId: key.id },
      { offset: 0, limit: 9 },
    )
    expect(rows).toMatchObject([{ action: 'token.freeze', actorId: 0 }])
    expect(rows[0]?.after).toContain(url)
  })

  it.each([
    ['leaves a key alone whose reported text ended when it was rotated', 0, 1],
    ['freezes a key whose reported text still works beside the next one', 60, 2],
  ] as const)('%s', async (_, overlap_seconds, after) => {
    const { text, key, read } = await report(secretScanning, byHmac, ({ ask }, id) =>
      ask('POST', `/api/token/${id}/rotate`, { overlap_seconds }),
    )
    expect(JSON.parse(text).at(-2).label).toBe('true_positive')
    expect((await read(key.id)).status).toBe(after)
  })

  it('freezes a key once for the same report, whenever it is sent again, and again for another one', async () => {
    const world = await withOwner(secretScanning, leakRoutes)
    const key = await world.create()
    const send = async (url: string, sign: (body: string) => Record<string, string> = byKey) => {
      const body = JSON.stringify([{ token: `sk-${key.key}`, type: 'tollgate_api_key', url }])
      const headers = { 'content-type': 'application/json', ...sign(body) }
      const response = await world.raw('POST', '/api/secret_scanning', {
        body: new TextEncoder().encode(body),
        headers,
      })
      expect(JSON.parse(await response.text())).toMatchObject([{ label: 'true_positive' }])
      return (await world.store.tokens.find(key.id))?.frozenAt != null
    }
    expect([await send('a'), await send('b')]).toEqual([true, true])
    await world.store.tokens.unfreeze(key.id)
    // Another signature of the same body, another way to sign it, and a report that came while the key was frozen.
    expect([await send('a'), await send('a', byHmac), await send('b')]).toEqual([false, false, false])
    world.time.ms += 400 * 86_400_000
    await world.store.oneTimeSecrets.deleteExpired(world.now())
    expect(await send('a')).toBe(false)
    expect(await send('c')).toBe(true)
  })

  it.each([
    ['nothing is set', {}, byKey],
    ['no secret is set', {}, (body: string) => byHmac(body, '')],
    ['another key signed it', secretScanning, (body: string) => byKey(`${body} `)],
    ['the key is unknown', secretScanning, (body: string) => byKey(body, 'constructor')],
    ['the secret is wrong', secretScanning, (body: string) => byHmac(body, 'guess')],
    ['it is not signed', secretScanning, () => ({})],
  ] as const)('says nothing of keys and freezes none when %s', async (_, settings, sign) => {
    const { status, text, key, read } = await report({ ...settings }, sign)
    expect(status).not.toBe(200)
    expect(text).not.toContain('positive')
    expect((await read(key.id)).status).toBe(1)
  })
})
