import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

interface Preview {
  readonly calls: number
  readonly changed: number
  readonly charged: number
  readonly right: number
  readonly amount: number
  readonly unknown_calls: number
  readonly credited_calls: number
  readonly users: readonly { readonly id: number; readonly charged: number; readonly right: number }[]
  readonly confirmation: string
}

interface Correction {
  readonly id: number
  readonly state: string
  readonly calls: number
  readonly users: number
  readonly amount: number
}

const usage = { promptTokens: 1000, completionTokens: 100 }
/** Charges at ratio 50 and 0.5, with output at the price of input. */
const [wrong, right] = [55_000, 550]
const startQuota = 10_000_000

/** A day at a hundred times the price: of users and keys that are there, and of some that are gone. */
function correctionStory(environment: () => Promise<Record<string, string>>): void {
  let upstream: Upstream
  let gateway: Tollgate
  let root: Operator
  const people: Record<'ada' | 'gone', Operator> = {} as never
  const keys: Record<string, { readonly id: number; readonly key: string }> = {}
  let channel = 0
  let from = 0

  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'yes', usage }))
    gateway = await startTollgate({ env: { ...consoleWithoutLimits, ...(await environment()) } })
    root = await operate(gateway.url)
    channel = (await root.addChannel({ name: 'one', base_url: upstream.url, models: 'house,other' })).id
    await root.option('ModelRatio', JSON.stringify({ house: 50, other: 1 }))
    for (const name of ['ada', 'gone'] as const) people[name] = await addUser(gateway, name, startQuota)
    keys['ada'] = await people.ada.addKey({ name: 'ada', remain_quota: 3 * wrong, unlimited_quota: false })
    keys['deleted'] = await people.ada.addKey({ name: 'deleted' })
    keys['gone'] = await people.gone.addKey({ name: 'gone' })
    from = Math.floor(Date.now() / 1000)
    for (const [name, calls] of [
      ['ada', 2],
      ['deleted', 3],
      ['gone', 1],
    ] as const)
      for (let made = 0; made < calls; made += 1) expect(await call(name)).toBe(200)
    expect(await call('deleted', 'other')).toBe(200)
    await root.consumption(7)
    // The first key is used up: its budget was spent at the wrong price.
    expect(await call('ada')).not.toBe(200)
    await people.ada.api('DELETE', `/api/token/${keys['deleted']?.id}`)
    await root.api('DELETE', `/api/user/${people.gone.userId}`)
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
  })

  async function call(name: string, model = 'house'): Promise<number> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[name]?.key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'word '.repeat(900) }] }),
    })
    await response.text()
    return response.status
  }

  async function figures() {
    type User = { readonly id: number; readonly quota: number; readonly used_quota: number }
    const { items } = await root.api<{ items: User[] }>('GET', '/api/user/?page_size=100')
    const users = Object.fromEntries(items.map(({ id, quota, used_quota }) => [id, { quota, used_quota }]))
    const margin = async (by: string) =>
      (await root.api<{ total: { quota: number } }>('GET', `/api/data/margin?by=${by}`)).total.quota
    const { used_quota } = await root.api<{ used_quota: number }>('GET', `/api/channel/${channel}`)
    const token = await people.ada.api<{ remain_quota: number; used_quota: number }>(
      'GET',
      `/api/token/${keys['ada']?.id}`,
    )
    return {
      ada: users[people.ada.userId],
      gone: users[people.gone.userId],
      channel: used_quota,
      token: { remain: token.remain_quota, used: token.used_quota },
      margins: [await margin('model'), await margin('channel'), await margin('user')],
    }
  }

  async function addsUp(): Promise<void> {
    const { output, code } = await gateway.run('audit')
    expect([output, code]).toEqual([expect.stringContaining('Everything adds up.'), 0])
  }

  async function span() {
    // The span has to be over.
    const to = Math.floor(Date.now() / 1000)
    while (Math.floor(Date.now() / 1000) === to) await Bun.sleep(20)
    return { from, to }
  }

  let correction: Correction
  let before: Awaited<ReturnType<typeof figures>>

  it('shows what each charge would be by the price in force, and for whom, and changes nothing', async () => {
    before = await figures()
    expect(before.ada).toEqual({ quota: startQuota - 5 * wrong - 1100, used_quota: 5 * wrong + 1100 })
    await root.option('ModelRatio', JSON.stringify({ house: 0.5, other: 1 }))
    const preview = await root.api<Preview>('POST', '/api/correction/preview', {
      ...(await span()),
      model_name: 'house',
    })
    expect(preview).toMatchObject({
      calls: 6,
      changed: 6,
      charged: 6 * wrong,
      right: 6 * right,
      amount: 6 * (right - wrong),
      unknown_calls: 0,
      users: [
        { id: people.ada.userId, charged: 5 * wrong, right: 5 * right },
        { id: people.gone.userId, charged: wrong, right },
      ],
    })
    expect(await figures()).toEqual(before)
  })

  it('says which calls good will credited before, whose users would have both', async () => {
    const body = { ...(await span()), model_name: 'house' }
    const read = () => root.api<Preview>('POST', '/api/correction/preview', body)
    const without = await read()
    const { items } = await root.api<{ items: { id: number; created_at: number }[] }>(
      'GET',
      '/api/log/?p=1&page_size=1&type=2&model_name=house',
    )
    const [{ id: log_id, created_at: at } = { id: 0, created_at: 0 }] = items
    await root.api('POST', '/api/log/goodwill', { log_id, at })
    const preview = await read()
    expect(preview).toMatchObject({ credited_calls: 1, credited_amount: wrong, amount: without.amount })
    expect(preview.confirmation).not.toBe(without.confirmation)
    await root.api('POST', '/api/log/goodwill/take_back', { log_id })
    expect(await read()).toEqual(without)
  })

  it('changes balances, keys, channels, margins and books to the unit, once', async () => {
    const body = { ...(await span()), model_name: 'house' }
    const { confirmation } = await root.api<Preview>('POST', '/api/correction/preview', body)
    const order = { ...body, confirmation, reason: 'a price per thousand was typed' }
    expect((await root.call('POST', '/api/correction/', { ...order, confirmation: 'other' })).code).toBe(
      'correction_changed',
    )
    expect(await figures()).toEqual(before)
    correction = await root.api<Correction>('POST', '/api/correction/', order)
    expect(correction).toMatchObject({ state: 'applied', calls: 6, users: 2, amount: 6 * (right - wrong) })
    expect(await figures()).toEqual({
      ada: { quota: startQuota - 5 * right - 1100, used_quota: 5 * right + 1100 },
      gone: { quota: startQuota - right, used_quota: right },
      channel: 6 * right + 1100,
      token: { remain: 3 * wrong - 2 * right, used: 2 * right },
      margins: [6 * right + 1100, 6 * right + 1100, 6 * right + 1100],
    })
    await addsUp()
    expect((await root.call('POST', '/api/correction/', order)).code).toBe('correction_changes_nothing')
    // The key has its budget again, and is charged the right price from memory as from the database.
    expect(await call('ada')).toBe(200)
    await root.consumption(8)
    expect((await figures()).ada?.quota).toBe(startQuota - 6 * right - 1100)
    await addsUp()
  })

  it('tells each user, in their log and beside each call', async () => {
    type Row = {
      readonly type: number
      readonly content: string
      readonly quota: number
      readonly corrected?: number
    }
    const { items } = await people.ada.api<{ items: Row[] }>('GET', '/api/log/self?page_size=100')
    const line = items.find(({ type, content }) => type === 4 && content.includes('Correction'))
    expect(line).toMatchObject({ quota: 5 * (wrong - right) })
    expect(line?.content).toContain('a price per thousand was typed')
    const corrected = items.filter((row) => row.corrected !== undefined)
    expect(corrected).toHaveLength(5)
    expect(new Set(corrected.map((row) => row.corrected))).toEqual(new Set([right - wrong]))
  })

  it('is taken back whole, with a reason of its own', async () => {
    const takeBack = () =>
      root.call<Correction>('POST', `/api/correction/${correction.id}/take_back`, { reason: 'it was right' })
    expect((await takeBack()).data).toMatchObject({ state: 'taken-back' })
    expect((await takeBack()).code).toBe('correction_not_applied')
    const after = await figures()
    expect(after.ada).toEqual({
      quota: startQuota - 5 * wrong - 1100 - right,
      used_quota: 5 * wrong + 1100 + right,
    })
    expect(after.gone).toEqual(before.gone)
    await addsUp()
    const { items } = await root.api<{ items: { action: string }[] }>(
      'GET',
      `/api/audit_log/?target_kind=correction&target_id=${correction.id}`,
    )
    expect(items.map(({ action }) => action)).toEqual(['correction.take-back', 'correction.apply'])
  })

  it('refuses what has no sense, and whoever is not root', async () => {
    const { to } = await span()
    const refused = async (body: object, path = 'preview') =>
      (await root.call('POST', `/api/correction/${path}`, body)).code
    expect(await refused({ from: to, to: from - 1 })).toBe('correction_span_empty')
    expect(await refused({ from, to: to + 3600 })).toBe('correction_span_open')
    expect(await refused({ from, to, price: { input: 1 } })).toBe('correction_price_without_model')
    expect(await refused({ from, to, username: 'nobody' })).toBe('user_unknown')
    expect(await refused({ reason: 'x' }, '999/take_back')).toBe('record_not_found')
    expect((await people.ada.call('POST', '/api/correction/preview', { from, to })).code).toBe(
      'permission_denied',
    )
  })
}

describe('a correction of charges over SQLite', () => correctionStory(async () => ({})))

describe.skipIf(!hasPostgres())('a correction of charges over PostgreSQL', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  correctionStory(async () => ({ DATABASE_URL: await postgres.createDatabase() }))
})
