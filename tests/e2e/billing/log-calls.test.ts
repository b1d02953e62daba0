import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

// (20 + 10 × 4) × 1.25
const chargePerCall = 75
const month = 30 * 86_400
const now = () => Math.floor(Date.now() / 1000)

let upstream: Upstream
let gateway: Tollgate
let operator: Operator

beforeAll(async () => {
  upstream = await startUpstream()
  upstream.otherwise(respond({ text: 'a short answer', usage: { promptTokens: 20, completionTokens: 10 } }))
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'logs', base_url: upstream.url, models: 'gpt-4o' })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

async function call(key: string, model = 'gpt-4o'): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await response.text()
  return response
}

const withKey = (key: string) => ({ authorization: `Bearer ${key}` })
const total = async (query: string) =>
  (await operator.api<{ total: number }>('GET', `/api/log/?${query}`)).total

describe('rows of failed calls', () => {
  it('are found by request id, and are switched off by themselves, whether or not charges are logged', async () => {
    const { key } = await operator.addKey({ name: 'failing' })
    const failed = await call(key, 'no-such-model')
    const id = failed.headers.get('x-request-id') ?? ''
    const { items } = await operator.api<{ items: { type: number; quota: number; content: string }[] }>(
      'GET',
      `/api/log/?request_id=${id}`,
    )
    expect(items).toMatchObject([{ type: 5, quota: 0 }])
    expect(items[0]?.content).toContain('no-such-model')

    const rows = () => Promise.all([total('type=5'), total('type=2')])
    const [failures, charges] = await rows()
    await operator.option('LogFailedCallsEnabled', 'false')
    await Promise.all([call(key, 'no-such-model'), call(key)])
    expect(await rows()).toEqual([failures, charges + 1])
    await operator.option('LogConsumeEnabled', 'false')
    await operator.option('LogFailedCallsEnabled', 'true')
    await Promise.all([call(key, 'no-such-model'), call(key)])
    expect(await rows()).toEqual([failures + 1, charges + 1])
    await operator.option('LogConsumeEnabled', 'true')
  })
})

describe('what a key tells of itself', () => {
  it('has its own calls, for any site that sends it in a header, without channels', async () => {
    // Two keys of one name: each has its own rows.
    const one = await operator.addKey({ name: 'alike' })
    const other = await operator.addKey({ name: 'alike' })
    await call(one.key)
    await call(one.key)
    await call(other.key)
    const response = await fetch(`${gateway.url}/api/log/token?p=1&page_size=1`, {
      headers: { ...withKey(one.key), origin: 'https://elsewhere.example' },
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const reply = (await response.json()) as {
      data: { channel: number; token_id: number; other: string }[]
      total: number
    }
    expect(reply.total).toBe(2)
    expect(reply.data).toHaveLength(1)
    expect(reply.data[0]).toMatchObject({ token_id: one.id, channel: 0 })
    expect(reply.data[0]?.other).not.toContain('admin_info')
    // Key checkers in a browser send it in the query, and read the complete log.
    const inQuery = await fetch(`${gateway.url}/api/log/token?key=${one.key}`)
    const all = (await inQuery.json()) as typeof reply
    expect(all.data.map(({ token_id }) => token_id)).toEqual([one.id, one.id])
    const wrong = await fetch(`${gateway.url}/api/log/token?key=sk-nothing`)
    expect([wrong.status, await wrong.text()]).toEqual([401, expect.not.stringContaining('"data"')])
    const elsewhere = await fetch(`${gateway.url}/api/usage/token?key=${one.key}`)
    expect(elsewhere.status).toBe(401)
  })

  it('is its money, under both paths, as clients of OpenAI ask for it', async () => {
    const { key } = await operator.addKey({ unlimited_quota: false, remain_quota: 10_000, name: 'money' })
    await call(key)
    const ask = async (path: string, headers = withKey(key)) => {
      const response = await fetch(gateway.url + path, { headers })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    for (const root of ['', '/v1']) {
      const { body } = await ask(`${root}/dashboard/billing/subscription`)
      expect(body).toEqual({
        object: 'billing_subscription',
        has_payment_method: true,
        soft_limit_usd: 0.02,
        hard_limit_usd: 0.02,
        system_hard_limit_usd: 0.02,
        access_until: 0,
      })
      const usage = await ask(`${root}/dashboard/billing/usage?start_date=2026-01-01&end_date=2026-02-01`)
      expect(usage.body['object']).toBe('list')
      expect(usage.body['total_usage']).toBeCloseTo((chargePerCall / 500_000) * 100, 9)
      const refused = await ask(`${root}/dashboard/billing/usage`, withKey('sk-nobody'))
      expect(refused.status).toBe(401)
      expect(refused.body['error']).toMatchObject({ type: 'invalid_request_error' })
    }
    await operator.option('DisplayInCurrencyEnabled', 'false')
    expect((await ask('/dashboard/billing/usage')).body['total_usage']).toBe(chargePerCall * 100)
    await operator.option('DisplayTokenStatEnabled', 'false')
    const owner = await ask('/v1/dashboard/billing/subscription')
    const self = await operator.api<{ quota: number; used_quota: number }>('GET', '/api/user/self')
    expect(owner.body['hard_limit_usd']).toBe(self.quota + self.used_quota)
    await operator.option('DisplayTokenStatEnabled', 'true')
    await operator.option('DisplayInCurrencyEnabled', 'true')
  })
})

describe('rows of what is no call', () => {
  const inChinese = { 'accept-language': 'zh-CN' }
  interface Row {
    readonly type: number
    readonly content: string
    readonly other: string
  }
  let person: Operator

  /** Newest first, as the person reads them. */
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(gateway.url + path, {
      headers: { cookie: person.cookie, 'New-Api-User': String(person.userId), ...headers },
    })
    const { data } = (await response.json()) as { data: { items: Row[] } | Row[] }
    return Array.isArray(data) ? data : data.items
  }
  const sentences = async (headers: Readonly<Record<string, string>> = {}) =>
    (await read('/api/log/self?p=1&page_size=20', headers)).map(({ content }) => content)

  beforeAll(async () => {
    await operator.option('QuotaForNewUser', '1000000')
    person = await addUser(gateway, 'reader', 1_000_000)
    const [code = ''] = await operator.api<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      count: 1,
      quota: 250_000,
    })
    await person.api('POST', '/api/user/topup', { key: code })
    const change = { id: person.userId, quota_change: -500_000, reason: 'a {quota} too much' }
    await operator.api('PUT', '/api/user/', change)
  })
  afterAll(() => operator.option('QuotaForNewUser', '0'))

  it('are sentences in the language of their reader, with amounts in currency', async () => {
    const rows = await read('/api/log/self?p=1&page_size=20')
    expect(rows.map(({ type }) => type).sort()).toEqual([1, 3, 4])
    expect(await sentences()).toEqual(
      expect.arrayContaining([
        'Gift for a new account: ＄2.000000 of quota',
        expect.stringMatching(/^Redeemed ＄0\.500000 of quota, code id \d+$/),
        expect.stringMatching(
          /^root \(id \d+\) changed the quota by -＄1\.000000 to .*: a \{quota\} too much$/,
        ),
      ]),
    )
    expect(await sentences(inChinese)).toEqual(
      expect.arrayContaining([
        '新用户赠送 ＄2.000000 额度',
        expect.stringMatching(/^兑换了 ＄0\.500000 额度，兑换码 ID \d+$/),
        expect.stringMatching(/^root（ID \d+）将额度调整 -＄1\.000000，/),
      ]),
    )
  })

  it('follow the display of amounts, also of rows from before', async () => {
    await operator.option('QuotaPerUnit', '1000000')
    expect(await sentences()).toContain('Gift for a new account: ＄1.000000 of quota')
    await operator.option('QuotaPerUnit', '500000')
    await operator.option('DisplayInCurrencyEnabled', 'false')
    expect(await sentences()).toContain('Gift for a new account: 1000000 points of quota')
    expect(await sentences(inChinese)).toContain('新用户赠送 1000000 点额度')
    await operator.option('DisplayInCurrencyEnabled', 'true')
  })

  it('are found by how their sentence begins, in the language of who searches', async () => {
    const found = async (keyword: string, headers = {}) =>
      (await read(`/api/log/self/search?keyword=${encodeURIComponent(keyword)}`, headers)).length
    expect(await found('gift for')).toBe(1)
    expect(await found('新用户', inChinese)).toBe(1)
    expect(await found('新用户')).toBe(0)
    expect(await found('{"event"')).toBe(0)
  })

  it('say to programs what happened by a code with its parameters', async () => {
    const rows = await read('/api/log/self?p=1&page_size=20&type=4')
    expect(rows.map(({ other }) => JSON.parse(other))).toEqual([
      { event: 'gift_new_account', params: { quota: 1_000_000 } },
    ])
  })

  it('are in the language of an export', async () => {
    const path = '/api/log/export?username=reader'
    for (const [language, gift] of [
      ['en', 'Gift for a new account: ＄2.000000 of quota'],
      ['zh', '新用户赠送 ＄2.000000 额度'],
    ] as const) {
      const response = await fetch(gateway.url + path, {
        headers: {
          cookie: operator.cookie,
          'New-Api-User': String(operator.userId),
          'accept-language': language,
        },
      })
      expect(await response.text()).toContain(gift)
    }
  })
})

describe('charts and summaries', () => {
  it('have the running hour, of everybody and of oneself, and count failures beside calls', async () => {
    const username = 'charted'
    const person = await addUser(gateway, username, 1_000_000)
    const { key } = await person.addKey({ name: 'charted' })
    await call(key)
    await call(key)
    await call(key, 'no-such-model')
    interface Row {
      model_name: string
      count: number
      quota: number
      token_used: number
      username: string
      user_id: number
    }
    const own = await person.api<Row[]>('GET', '/api/data/self?default_time=day')
    expect(own).toMatchObject([
      {
        model_name: 'gpt-4o',
        count: 2,
        quota: 2 * chargePerCall,
        token_used: 60,
        user_id: person.userId,
        username,
      },
    ])
    const named = await operator.api<Row[]>(
      'GET',
      `/api/data/?username=${username}&start_timestamp=${now() - 7200}`,
    )
    expect(named.reduce((sum, row) => sum + row.count, 0)).toBe(2)
    const everybody = await operator.api<Row[]>('GET', '/api/data/')
    const charged = await total('type=2')
    expect(everybody.reduce((sum, row) => sum + row.count, 0)).toBeGreaterThanOrEqual(charged)
    const summary = await person.api<{ today: object; failing_models: object[]; failing_channels?: object }>(
      'GET',
      '/api/data/self/summary',
    )
    expect(summary.today).toEqual({ count: 2, errors: 1, quota: 2 * chargePerCall, token_used: 60 })
    expect(summary.failing_models).toMatchObject([{ model_name: 'no-such-model', faults: { no_channel: 1 } }])
    expect(summary.failing_channels).toBeUndefined()
    const tooLong = `/api/data/self?start_timestamp=${now() - month - 2 * 86_400}&end_timestamp=${now()}`
    expect(await person.call('GET', tooLong)).toMatchObject({ success: false, code: 'data_range_over_month' })
  })
})

describe('clearing the log while calls go on', () => {
  it('returns the count, loses no newer row, and leaves a consistent audit', async () => {
    const { key } = await operator.addKey({ name: 'busy' })
    await Promise.all(Array.from({ length: 20 }, () => call(key)))
    await operator.consumption(20)
    const old = await total('')
    await Bun.sleep(1100)
    const boundary = now()
    let calling = true
    let made = 0
    const traffic = (async () => {
      while (calling) made += (await Promise.all([call(key), call(key)])).length
    })()
    await until(async () => (made > 4 ? true : undefined), 10_000)
    const cleared = await operator.api<number>('DELETE', `/api/log/?target_timestamp=${boundary}`)
    calling = false
    await traffic
    expect(cleared).toBe(old)
    expect(await total('')).toBe(made)
    expect(await operator.api('GET', '/api/log/clear/progress')).toMatchObject({
      running: false,
      target_timestamp: boundary,
      deleted: old,
      cancelled: false,
    })
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
  })

  it('is refused without a time in the past, and to people who are no administrators', async () => {
    expect(await operator.call('DELETE', '/api/log/')).toMatchObject({ code: 'log_clear_time_required' })
    expect(await operator.call('DELETE', `/api/log/?target_timestamp=${now() + 1000}`)).toMatchObject({
      code: 'log_clear_time_invalid',
    })
  })
})
