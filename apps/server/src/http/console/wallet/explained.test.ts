import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { flushOf, settlement } from '../../../store/contract/samples.ts'
import { type JsonBody, walletFixture } from '../test-support/wallet-fixture.ts'

let fixture: Awaited<ReturnType<typeof walletFixture>>
type Person = Awaited<ReturnType<typeof fixture.person>>
let admin: Person
let other: Person
let ann: Person
let flushed = 0

const day = 1_800_000_000 - (1_800_000_000 % 86_400)
/** What the owner may not see stands beside what explains the charge. */
const terms = JSON.stringify({
  model_ratio: 1.25,
  group_ratio: 1,
  completion_ratio: 2,
  upstream_model_name: 'hidden-upstream',
  admin_info: { use_channel: ['hidden-channel'] },
})

beforeAll(async () => {
  fixture = await walletFixture()
  admin = await fixture.person({ role: 'admin' })
  other = await fixture.person({ role: 'admin' })
  ann = await fixture.person()
})
afterAll(closeTestStores)

async function charged(change: JsonBody = {}) {
  flushed += 1
  const call = { userId: ann.id, username: ann.username, createdAt: day + 3600, quota: 100, other: terms }
  await fixture.store.ledger.flush(flushOf('n', flushed - 1, [settlement(flushed, { ...call, ...change })]))
  const { rows } = await fixture.store.usage.page({ type: 'consumption' }, 1, 1)
  const [row] = rows
  if (row === undefined) throw new Error('the call has no row')
  return { log_id: row.id, at: row.createdAt }
}

const codesOf = (responses: readonly JsonBody[]) =>
  responses.map(({ code }) => (code as string | undefined) ?? 'done').toSorted()
const booksBalance = async () => expect(await fixture.store.audit.findings()).toEqual([])
const give = (by: Person, body: JsonBody) => by.call('POST', '/api/log/goodwill', body)
const takeBack = (by: Person, log_id: number) => by.call('POST', '/api/log/goodwill/take_back', { log_id })
const open = async (path: string) =>
  (await fixture.send('GET', path.replace('/charge/', '/api/charge/'))).envelope as unknown as JsonBody

describe('a goodwill credit', () => {
  it('is of the charge or a part, once for each call however many give it, and is taken back as a whole', async () => {
    const call = await charged()
    const before = await ann.quota()
    for (const amount of [101, 0, 1.5])
      expect(await give(admin, { ...call, amount })).toMatchObject({ success: false })
    const all = await Promise.all([admin, other, admin, other].map((by) => give(by, call)))
    expect(codesOf(all)).toEqual(['done', 'goodwill_given', 'goodwill_given', 'goodwill_given'])
    expect(await ann.quota()).toBe(before + 100)
    await booksBalance()
    expect(codesOf(await Promise.all([admin, other].map((by) => takeBack(by, call.log_id))))).toEqual([
      'done',
      'goodwill_not_given',
    ])
    expect(await ann.quota()).toBe(before)
    expect(await give(other, { ...call, amount: 40 })).toMatchObject({ data: { credited: 40 } })
    expect(await ann.quota()).toBe(before + 40)
    await booksBalance()
  })

  it('goes down the ranks, to calls that were charged, and is tied to its row in every book', async () => {
    const own = await charged({ userId: admin.id })
    expect(await give(admin, own)).toMatchObject({ code: 'top_up_rank_too_high' })
    const call = await charged()
    expect(await give(ann, call)).toMatchObject({ code: 'permission_denied' })
    expect(await give(admin, { ...call, log_id: 999_999 })).toMatchObject({ code: 'record_not_found' })
    await give(admin, call)
    const [entry] = await fixture.store.ledger.list('user', ann.id, 1)
    expect(entry).toMatchObject({ cause: 'goodwill', amount: 100, note: String(call.log_id) })
    const { rows } = await fixture.store.auditLog.page({ action: 'log.goodwill' }, { offset: 0, limit: 1 })
    expect(rows[0]).toMatchObject({ targetId: call.log_id, actorId: admin.id })
    const month = new Date((entry?.createdAt ?? 0) * 1000).toISOString().slice(0, 7)
    const statement = await ann.call('GET', `/api/statement/self?month=${month}`)
    const line = statement['data'].lines.find((each: { line: string }) => each.line === 'goodwill')
    expect(line).toMatchObject({ amount: 140 })
  })
})

describe('a link to a charge', () => {
  const share = async (by: Person, body: JsonBody, path = '/api/log/self/link') =>
    (await by.call('POST', path, body)) as JsonBody

  it('shows without an account what explains the charge, and nothing else of it', async () => {
    const call = await charged()
    const { data: link } = await share(ann, call)
    const { data } = await open(link.path)
    expect(data.charge).toMatchObject({ quota: 100, terms: { model_ratio: 1.25, completion_ratio: 2 } })
    expect(JSON.stringify(data)).not.toMatch(/hidden|admin_info|username/)
    expect(JSON.stringify(data)).not.toContain(ann.username)
    expect(link.expires_at - link.created_at).toBe(7 * 86_400)
  })

  it('is made by the owner and by administrators who may read the owner, and by nobody else', async () => {
    const call = await charged()
    const bob = await fixture.person()
    expect(await share(bob, call)).toMatchObject({ code: 'record_not_found' })
    expect(await share(bob, call, '/api/log/link')).toMatchObject({ code: 'permission_denied' })
    expect(await share(admin, call, '/api/log/link')).toMatchObject({ success: true })
    const ofAdmin = await charged({ userId: other.id })
    expect(await share(admin, ofAdmin, '/api/log/link')).toMatchObject({ code: 'record_not_found' })
    expect(await share(ann, { ...call, days: 91 })).toMatchObject({ success: false })
    expect(await share(ann, {})).toMatchObject({ code: 'charge_link_subject' })
  })

  it('does not open once it is revoked, has ended, was changed, or its owner is disabled or gone', async () => {
    const eve = await fixture.person()
    const call = await charged({ userId: eve.id })
    const [first, second] = [await share(eve, call), await share(eve, { ...call, days: 1 })]
    const path = first['data'].path as string
    const changed = path.replace(/.$/, (end) => (end === '0' ? '1' : '0'))
    const foreign = ['1', '9.x', '1.5', '1e3.ab', '99999999999999999999.ab', '-1.ab', '.ab'].map(
      (token) => `/charge/${token}`,
    )
    for (const wrong of [changed, ...foreign])
      expect(await open(wrong)).toMatchObject({ code: 'charge_link_ended' })
    const other = second['data'].path.split('.')[1] as string
    expect(await open(`${path.split('.')[0]}.${other}`)).toMatchObject({ code: 'charge_link_ended' })
    expect(await ann.call('DELETE', `/api/log/self/link/${first['data'].id}`)).toMatchObject({
      code: 'record_not_found',
    })
    expect(await open(path)).toMatchObject({ success: true })
    await eve.call('DELETE', `/api/log/self/link/${first['data'].id}`)
    expect(await open(path)).toMatchObject({ code: 'charge_link_ended' })
    expect((await eve.call('GET', '/api/log/self/link'))['data']).toHaveLength(1)
    fixture.time.ms += 86_400_000
    expect(await open(second['data'].path)).toMatchObject({ code: 'charge_link_ended' })
    const third = await share(eve, call)
    const dated = await share(eve, { day: '2027-01-15', time_zone: 'UTC' })
    for (const end of [{ status: 'banned' }, { status: 'enabled', deletedAt: day }] as const) {
      await fixture.store.users.update(eve.id, end)
      for (const { data } of [third, dated])
        expect(await open(data.path)).toMatchObject({ code: 'charge_link_ended' })
    }
  })

  it('of a day has lines by model and by key, which both add up to its charges', async () => {
    const zoe = await fixture.person()
    for (const [model, quota, createdAt] of [
      ['one', 30, day + 10],
      ['two', 50, day + 86_399],
      ['two', 7, day + 86_400],
    ] as const)
      await charged({ userId: zoe.id, model, quota, createdAt })
    const named = new Date(day * 1000).toISOString().slice(0, 10)
    const { data: link } = await share(zoe, { day: named, time_zone: 'UTC' })
    expect((await open(link.path))['data'].day).toMatchObject({
      charges: { calls: 2, amount: 80 },
      by_model: [
        { name: 'two', calls: 1, amount: 50 },
        { name: 'one', calls: 1, amount: 30 },
      ],
      by_key: [{ name: '', calls: 2, amount: 80 }],
    })
  })
})
