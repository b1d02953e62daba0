import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { flushOf, settlement } from '../../../store/contract/samples.ts'
import { walletFixture } from '../test-support/wallet-fixture.ts'

type Fixture = Awaited<ReturnType<typeof walletFixture>>
type Person = Awaited<ReturnType<Fixture['person']>>

let fixture: Fixture
let root: Person
let admin: Person
let peer: Person
let stranger: Person
/** Accounts near the administrator, by how they are. */
let near: Readonly<Record<string, Person>>

beforeAll(async () => {
  fixture = await walletFixture()
  const { person } = fixture
  root = await person({ role: 'root' })
  const inviter = await person({ inviterId: root.id })
  admin = await person({ role: 'admin', inviterId: inviter.id, email: 'ada@gmail.com' })
  peer = await person({ role: 'admin', inviterId: root.id })
  const invitee = await person({ inviterId: admin.id })
  stranger = await person({ inviterId: root.id })
  near = {
    inviter,
    invitee,
    'invitee of an invitee': await person({ inviterId: invitee.id }),
    'invitee of the inviter': await person({ inviterId: inviter.id }),
    'same inbox': await person({ email: 'a.da+2@gmail.com' }),
    'warned at the same inbox': await person({ setting: '{"notification_email":"Ada+w@gmail.com"}' }),
  }
})
afterAll(closeTestStores)

const codeOf = (envelope: Readonly<Record<string, unknown>>) => envelope['code'] ?? 'done'

async function edit(by: Person, id: number, change: object) {
  return codeOf(await by.call('PUT', '/api/user/', { id, ...change }))
}

async function codeBy(maker: Person): Promise<{ readonly id: number; readonly key: string }> {
  const { data } = await maker.call('POST', '/api/redemption/', { name: 'gift', quota: 50, count: 1 })
  const listed = (await maker.call('GET', '/api/redemption/?p=1&page_size=1'))['data'].items[0]
  return { id: listed.id, key: data[0] }
}

const redeem = async (who: Person, key: string) => codeOf(await who.call('POST', '/api/user/topup', { key }))

/** Every account near the administrator, with the outcome of the same for each. */
async function outcomes(attempt: (who: Person) => Promise<unknown>) {
  const found = []
  for (const [relation, who] of Object.entries(near)) {
    const before = await who.quota()
    const outcome = await attempt(who)
    found.push([relation, outcome, (await who.quota()) - before])
  }
  return found
}

const refusedTo = (code: string) => Object.keys(near).map((relation) => [relation, code, 0])

describe('quota of an administrator', () => {
  it.each([{ quota_change: 5 }, { quota: 5000 }, { quota: 0, quota_change: 5 }, { group: 'vip' }])(
    'reaches no account near them by an edit of %p',
    async (change) => {
      expect(await outcomes((who) => edit(admin, who.id, change))).toEqual(
        refusedTo('user_near_administrator'),
      )
      for (const who of Object.values(near)) expect(await edit(root, who.id, change)).toBe('done')
      expect(await edit(admin, stranger.id, change)).toBe('done')
    },
  )

  it('is kept from them in the console, which is told who is near', async () => {
    const isNear = async (by: Person, { id }: Person) =>
      (await by.call('GET', `/api/user/${id}`))['data'].near_caller
    for (const who of Object.values(near)) expect(await isNear(admin, who)).toBe(true)
    expect([await isNear(admin, stranger), await isNear(root, stranger), await isNear(root, root)]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('may be taken from accounts near them, and other fields edited', async () => {
    for (const change of [{ quota_change: -5 }, { display_name: 'Somebody' }])
      for (const { id } of Object.values(near)) expect(await edit(admin, id, change)).toBe('done')
  })

  it('reaches no account near them by an order that they complete', async () => {
    const orderOf = async (who: Person): Promise<string> =>
      (await who.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' }))['trade_no']
    const complete = async (by: Person, trade_no: string) =>
      codeOf(await by.call('POST', '/api/topup/complete', { trade_no }))
    expect(await outcomes(async (who) => complete(admin, await orderOf(who)))).toEqual(
      refusedTo('user_near_administrator'),
    )
    expect(await complete(admin, await orderOf(stranger))).toBe('done')
    expect(await complete(peer, await orderOf(near['invitee'] as Person))).toBe('done')
  })
})

describe('a gift to an account that its giver opened', () => {
  let opened: number
  const open = async (by: Person, fields: object) => {
    const username = `opened${Bun.randomUUIDv7().slice(-10)}`
    await by.call('POST', '/api/user/', { username, password: 'a long password', ...fields })
    return (await by.call('GET', `/api/user/search?keyword=${username}`))['data'].items[0].id as number
  }
  const lastRecord = async () =>
    (await fixture.store.auditLog.page({}, { offset: 0, limit: 1 })).rows[0] as {
      action: string
      after: string
    }
  const isMarked = async () => {
    const { action, after } = await lastRecord()
    return [action, JSON.parse(after).opened_by_giver ?? false]
  }

  it('is marked in the audit log, by whichever way it comes', async () => {
    for (const gift of [{ group: 'vip' }, { quota: 50 }]) {
      opened = await open(admin, gift)
      expect(await isMarked()).toEqual(['user.create', true])
    }
    for (const change of [{ quota_change: 5 }, { quota: 100 }, { group: 'vip' }]) {
      expect(await edit(admin, opened, change)).toBe('done')
      expect(await isMarked()).toEqual(['user.update', true])
    }
    const ids = [opened, stranger.id]
    const change = { kind: 'balance', amount: 7 }
    const { confirmation } = (await admin.call('POST', '/api/user/many/preview', { ids, change }))['data']
    expect(codeOf(await admin.call('PUT', '/api/user/many', { ids, change, confirmation }))).toBe('done')
    expect(await isMarked()).toEqual(['user.update-many', true])
  })

  it('is marked where an order of it is completed, or a call of it credited', async () => {
    const { person, store } = fixture
    const who = await person({ inviterId: root.id })
    const by = { actorId: admin.id, actorName: '', actorRole: 'admin', address: '', createdAt: 0 } as const
    const record = { targetKind: 'user', targetName: '', before: '', after: '{}' } as const
    await store.auditLog.append([{ ...by, ...record, action: 'user.create', targetId: who.id }])
    const { trade_no } = await who.call('POST', '/api/user/pay', { amount: 10, payment_method: 'zfb' })
    expect(codeOf(await admin.call('POST', '/api/topup/complete', { trade_no }))).toBe('done')
    expect(await isMarked()).toEqual(['top-up-order.complete', true])
    await store.ledger.flush(flushOf('near', 0, [settlement(1, { userId: who.id, quota: 100 })]))
    const [row] = (await store.usage.page({ type: 'consumption' }, 1, 1)).rows
    const credit = { log_id: row?.id, at: row?.createdAt }
    expect(codeOf(await admin.call('POST', '/api/log/goodwill', credit))).toBe('done')
    expect(await isMarked()).toEqual(['log.goodwill', true])
  })

  it('is not marked by root, by another administrator, or where nothing is given', async () => {
    for (const [by, change] of [
      [root, { quota_change: 5 }],
      [peer, { quota_change: 5 }],
      [admin, { quota_change: -5 }],
      [admin, { display_name: 'Somebody' }],
    ] as const) {
      expect(await edit(by, opened, change)).toBe('done')
      expect(await isMarked()).toEqual(['user.update', false])
    }
    await open(admin, {})
    expect(await isMarked()).toEqual(['user.create', false])
  })
})

describe('a redemption code', () => {
  const ways: Readonly<Record<string, () => Promise<string>>> = {
    'that an administrator made': async () => (await codeBy(admin)).key,
    'that another administrator made': async () => (await codeBy(peer)).key,
    'that an administrator changed': async () => {
      const { id, key } = await codeBy(root)
      await admin.call('PUT', '/api/redemption/', { id, name: 'gift', quota: 70 })
      return key
    },
    'that an administrator enabled again': async () => {
      const { id, key } = await codeBy(root)
      await root.call('PUT', '/api/redemption/?status_only=true', { id, status: 2 })
      await admin.call('PUT', '/api/redemption/?status_only=true', { id, status: 1 })
      return key
    },
    'that an administrator enabled with others': async () => {
      const { id, key } = await codeBy(root)
      await root.call('POST', '/api/redemption/batch', { ids: [id], action: 'disable' })
      await admin.call('POST', '/api/redemption/batch', { ids: [id], action: 'enable' })
      return key
    },
  }

  it.each(Object.entries(ways))('%s is for nobody near an administrator', async (_, make) => {
    const key = await make()
    expect(await outcomes((who) => redeem(who, key))).toEqual(refusedTo('redemption_near_administrator'))
    expect(await redeem(stranger, key)).toBe('done')
  })

  it('of root is for everybody, as long as no administrator changes it', async () => {
    for (const who of Object.values(near)) expect(await redeem(who, (await codeBy(root)).key)).toBe('done')
  })

  it('of somebody who was an administrator is for nobody near them', async () => {
    const former = await fixture.person({ role: 'admin' })
    const friend = await fixture.person({ inviterId: former.id })
    const { key } = await codeBy(former)
    await fixture.store.users.update(former.id, { role: 'common' })
    expect(await redeem(friend, key)).toBe('redemption_near_administrator')
  })
})
