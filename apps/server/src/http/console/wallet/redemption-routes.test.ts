import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { walletFixture } from '../test-support/wallet-fixture.ts'

type Fixture = Awaited<ReturnType<typeof walletFixture>>
type Person = Awaited<ReturnType<Fixture['person']>>

let fixture: Fixture
let admin: Person

beforeAll(async () => {
  fixture = await walletFixture()
  admin = await fixture.person({ role: 'admin' })
})
afterAll(closeTestStores)

const path = '/api/redemption/'
const make = async (body: object = {}) =>
  (await admin.call('POST', path, { name: 'spring', quota: 500, ...body })) as { data: string[] }
const newest = async () => (await admin.call('GET', `${path}?p=1`))['data'].items[0]
const redeem = (who: Person, key: unknown) => who.call('POST', '/api/user/topup', { key })

async function auditEvents() {
  return (await fixture.store.auditLog.page({ targetKind: 'redemption' }, { offset: 0, limit: 100 })).rows
}

describe('making codes', () => {
  it('answers their keys, which are random and never stored or audited in clear', async () => {
    const { data: keys } = await make({ name: '十个字的兑换码名称啊十个字的兑换码名称', count: 100 })
    expect(keys).toHaveLength(100)
    expect(new Set(keys).size).toBe(100)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
    const stored = await fixture.store.redemptions.page(
      {},
      { by: 'id', descending: true },
      { offset: 0, limit: 100 },
    )
    const everything = JSON.stringify([stored.rows, await auditEvents()])
    for (const key of keys) expect(everything).not.toContain(key)
    expect((await auditEvents())[0]).toMatchObject({ action: 'redemption.create', actorId: admin.id })
  })

  it('checks name, count and quota, and stores nothing of what it refuses', async () => {
    const before = (await admin.call('GET', path))['data'].total
    const refused = async (body: object) => (await admin.call('POST', path, body))['code']
    expect(await refused({ name: '', quota: 1 })).toBe('redemption_name_length')
    expect(await refused({ name: '字'.repeat(21), quota: 1 })).toBe('redemption_name_length')
    expect(await refused({ name: 'a', quota: 0 })).toBe('redemption_quota_invalid')
    expect(await refused({ name: 'a', quota: -5 })).toBe('redemption_quota_invalid')
    expect(await refused({ name: 'a', quota: 10 ** 15 + 1 })).toBe('redemption_quota_invalid')
    expect(await refused({ name: 'a', quota: 1, count: 0 })).toBe('redemption_count_low')
    expect(await refused({ name: 'a', quota: 1, count: 101 })).toBe('redemption_count_high')
    for (const quota of ['1', 1.5, null])
      expect(await refused({ name: 'a', quota })).toBe('invalid_parameter')
    expect((await admin.call('GET', path))['data'].total).toBe(before)
  })

  it('counts characters, not bytes', async () => {
    expect((await make({ name: '😀'.repeat(20) })).data).toHaveLength(1)
  })
})

describe('lists of codes', () => {
  it('have the keys in clear, pages from 1 and exact totals', async () => {
    const { data: keys } = await make({ name: 'listed', count: 3 })
    const page = await admin.call('GET', `${path}search?keyword=LISTED&p=2&page_size=2`)
    expect(page['data']).toMatchObject({ total: 3, page: 2, page_size: 2 })
    expect(page['data'].items).toEqual([
      {
        id: expect.any(Number),
        user_id: admin.id,
        key: keys[0],
        status: 1,
        name: 'listed',
        quota: 500,
        created_time: 1_800_000_000,
        redeemed_time: 0,
        count: 0,
        used_user_id: 0,
        used_username: '',
        DeletedAt: null,
      },
    ])
    const first = await admin.call('GET', `${path}?keyword=listed&p=0&sort=id&order=asc&status=1`)
    expect(first['data'].page).toBe(1)
    expect(first['data'].items[0].key).toBe(keys[0])
    const far = await admin.call('GET', `${path}?p=9007199254740991&page_size=100`)
    expect(far['data'].items).toEqual([])
    const odd = await admin.call('GET', `${path}?sort=;drop&order=x&status=NaN&keyword=%25`)
    expect(odd['data'].items).toEqual([])
  })
})

describe('changing a code', () => {
  it('edits an unused one, and writes down what changed', async () => {
    await make({ name: 'before' })
    const { id, key } = await newest()
    const response = await admin.call('PUT', path, { id, name: 'after', quota: 7 })
    expect(response['data']).toMatchObject({ id, key, name: 'after', quota: 7 })
    expect((await auditEvents())[0]).toMatchObject({
      action: 'redemption.update',
      targetId: id,
      before: '{"name":"before","quota":500}',
      after: '{"name":"after","quota":7}',
    })
    expect((await admin.call('PUT', path, { id, quota: 8 }))['data']).toMatchObject({
      name: 'after',
      quota: 8,
    })
    expect((await admin.call('PUT', path, { id, quota: 0 }))['code']).toBe('redemption_quota_invalid')
  })

  it('disables and enables it, and refuses to redeem it meanwhile', async () => {
    await make()
    const { id, key } = await newest()
    const ann = await fixture.person()
    const set = (status: unknown) => admin.call('PUT', `${path}?status_only=true`, { id, status })
    expect((await set(2))['data'].status).toBe(2)
    expect((await redeem(ann, key))['code']).toBe('redemption_disabled')
    expect((await admin.call('PUT', path, { id, name: 'x' }))['code']).toBe('redemption_not_unused')
    expect((await set(1))['data'].status).toBe(1)
    for (const status of [3, 0, undefined])
      expect((await set(status))['code']).toBe('redemption_status_invalid')
    expect((await redeem(ann, key))['data']).toBe(500)
    for (const status of [1, 2]) expect((await set(status))['code']).toBe('redemption_status_used')
    expect((await admin.call('PUT', path, { id, name: 'x' }))['code']).toBe('redemption_not_unused')
    expect((await admin.call('GET', `${path}${id}`))['data']).toMatchObject({
      status: 3,
      used_user_id: ann.id,
      used_username: ann.username,
    })
    expect(await newest()).toMatchObject({ used_user_id: ann.id, used_username: ann.username })
    await fixture.store.users.update(ann.id, { deletedAt: 1_800_000_000 })
    expect((await newest()).used_username).toBe(ann.username)
  })

  it('deletes it for everybody', async () => {
    await make()
    const { id, key } = await newest()
    expect((await admin.call('DELETE', `${path}${id}/`))['success']).toBe(true)
    expect((await admin.call('DELETE', `${path}${id}`))['code']).toBe('record_not_found')
    expect((await admin.call('GET', `${path}${id}`))['code']).toBe('record_not_found')
    expect((await redeem(await fixture.person(), key))['code']).toBe('redemption_invalid')
  })

  it('does the same to many, and says for each why it did not', async () => {
    const { data: keys } = await make({ name: 'bulk', count: 3 })
    const rows = (await admin.call('GET', `${path}?keyword=bulk`))['data'].items as { id: number }[]
    const [third, second, first] = rows.map(({ id }) => id) as [number, number, number]
    await redeem(await fixture.person(), keys[0])
    const ids = [first, second, 987_654, second, third]
    const disabled = await admin.call('POST', `${path}batch`, { ids, action: 'disable' })
    expect(disabled['data']).toBe(2)
    expect(disabled['outcomes']).toEqual([
      {
        id: first,
        success: false,
        code: 'redemption_status_used',
        message: 'A used code can be neither enabled nor disabled',
      },
      { id: second, success: true, message: '' },
      { id: 987_654, success: false, code: 'record_not_found', message: 'Record not found' },
      { id: third, success: true, message: '' },
    ])
    expect((await auditEvents()).slice(0, 2).map(({ action }) => action)).toEqual(
      Array(2).fill('redemption.disable'),
    )
    expect((await admin.call('POST', `${path}batch`, { ids: [first, third] }))['data']).toBe(2)
    expect((await admin.call('GET', `${path}?keyword=bulk`))['data'].total).toBe(1)
    for (const bad of [[], ['1'], Array(1001).fill(1)])
      expect((await admin.call('POST', `${path}batch`, { ids: bad }))['code']).toBe('invalid_parameter')
  })
})

describe('redeeming', () => {
  it('is refused to administrators, who read every key, and to the maker of the code', async () => {
    const peer = await fixture.person({ role: 'admin' })
    const root = await fixture.person({ role: 'root' })
    const former = await fixture.person({ role: 'admin' })
    const { data: keys } = await make({ count: 2 })
    const { data: own } = (await former.call('POST', path, { name: 'own', quota: 5 })) as { data: string[] }
    await fixture.store.users.update(former.id, { role: 'common' })
    fixture.bus.publish('user-changed', { id: former.id })
    for (const [who, key] of [
      [admin, keys[0]],
      [peer, keys[0]],
      [former, own[0]],
    ] as const) {
      expect((await redeem(who, key))['code']).toBe('redemption_by_maker')
      expect(await who.quota()).toBe(0)
    }
    expect((await redeem(former, keys[0]))['data']).toBe(500)
    expect((await redeem(root, keys[1]))['data']).toBe(500)
  })

  it('reads a code as phones and chats change it', async () => {
    const { data: keys } = await make({ count: 4 })
    const forms = [
      (key: string) => key.toUpperCase(),
      (key: string) => `${key.charAt(0).toUpperCase()}${key.slice(1)} `,
      (key: string) => `\u200b${key}\ufeff\n`,
      (key: string) => `${key.slice(0, 16)}\u00ad${key.slice(16)}`,
    ]
    const ann = await fixture.person()
    for (const [index, changed] of forms.entries())
      expect((await redeem(ann, changed(keys[index] ?? '')))['data']).toBe(500)
    for (const [index, changed] of forms.entries())
      expect((await redeem(ann, changed(keys[index] ?? '')))['code']).toBe('redemption_already_used')
    expect((await redeem(ann, '\u200b'))['code']).toBe('redemption_key_required')
  })

  it('credits once, logs it, and says why it does not', async () => {
    const {
      data: [key = ''],
    } = await make({ quota: 250_000 })
    const { id } = await newest()
    const [ann, bob] = [await fixture.person(), await fixture.person()]
    expect(await redeem(ann, ` ${key} `)).toEqual({ success: true, message: '', data: 250_000 })
    expect(await ann.quota()).toBe(250_000)
    expect((await redeem(ann, key))['code']).toBe('redemption_already_used')
    expect((await redeem(bob, key))['code']).toBe('redemption_already_used')
    expect((await redeem(bob, 'f'.repeat(32)))['code']).toBe('redemption_invalid')
    expect((await redeem(bob, '  '))['code']).toBe('redemption_key_required')
    expect(await bob.quota()).toBe(0)
    const { rows } = await fixture.store.usage.page({ userId: ann.id }, 1, 10)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      type: 'top-up',
      quota: 250_000,
      username: ann.username,
      content: `Redeemed 250000 points of quota, code id ${id}`,
    })
    expect(await fixture.store.ledger.list('user', ann.id, 5)).toMatchObject([
      { cause: 'redemption', amount: 250_000, note: String(id), actorId: ann.id },
    ])
  })

  it('has one winner of a hundred at once, and the books balance', async () => {
    const {
      data: [key = ''],
    } = await make({ quota: 1000 })
    const people = await Promise.all(Array.from({ length: 10 }, () => fixture.person()))
    const responseBodies = await Promise.all(
      Array.from({ length: 100 }, (_, at) => redeem(people[at % 10] as Person, key)),
    )
    expect(responseBodies.filter(({ success }) => success)).toHaveLength(1)
    const balances = await Promise.all(people.map((person) => person.quota()))
    expect(balances.reduce((sum, balance) => sum + balance)).toBe(1000)
    expect(await fixture.store.audit.findings()).toEqual([])
  })

  it('limits callers who guess', async () => {
    const strict = await walletFixture({ limits: { CRITICAL_RATE_LIMIT: 3 } })
    const ann = await strict.person()
    const codes = []
    for (let tries = 0; tries < 4; tries += 1) codes.push((await redeem(ann, `guess ${tries}`))['code'])
    expect(codes).toEqual([...Array(3).fill('redemption_invalid'), 'too_many_requests'])
  })
})
