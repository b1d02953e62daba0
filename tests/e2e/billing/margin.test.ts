import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { readContract } from '../../support/console/console-calls.ts'
import { argumentsOf, send } from '../../support/console/console-request.ts'
import { createPeople, type Person, withDatabase } from '../../support/console/people.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

interface Figures {
  readonly calls: number
  readonly quota: number
  readonly costed_calls: number
  readonly costed_quota: number
  readonly cost: number
}
type Row = Figures & { readonly model_name: string; readonly id: number; readonly name: string }
interface Margin {
  readonly total: Figures
  readonly rows: readonly Row[]
}

let upstream: Upstream
let gateway: Tollgate
let operator: Operator
let common: Person
const keys: string[] = []
const channels: Record<'listed' | 'cheap' | 'own', number> = { listed: 0, cheap: 0, own: 0 }

beforeAll(async () => {
  upstream = await startUpstream()
  upstream.otherwise(
    respond({ text: 'a short answer', usage: { promptTokens: 21_007, completionTokens: 1009 } }),
  )
  gateway = await startTollgate({ env: consoleWithoutLimits })
  operator = await operate(gateway.url)
  const people = createPeople(gateway)
  common = people.loggedIn('common')
  const channel = async (name: keyof typeof channels, models: string, more: object) => {
    channels[name] = (await operator.addChannel({ name, base_url: upstream.url, models, ...more })).id
  }
  await channel('listed', 'gpt-4o,alias', { model_mapping: '{"alias":"gpt-4.1-mini"}' })
  await channel('cheap', 'gpt-4o-mini', { setting: '{"cost_factor":0.7}' })
  await channel('own', 'house', {})
  await operator.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, alias: 3, 'gpt-4o-mini': 0.1, house: 1 }))
  keys.push((await operator.addKey()).key)
  const args = { target: '/api/token/', body: JSON.stringify({ name: 'theirs', unlimited_quota: true }) }
  const made = await send(gateway.url, { method: 'POST' }, args, common.headers)
  keys.push(`sk-${(made.envelope.data as { key: string }).key}`)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

async function call(model: string, key = keys[0]): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'word '.repeat(21_000) }] }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
}

const models = ['gpt-4o', 'alias', 'gpt-4o-mini', 'house']
/** Costs computed by hand: tokens times list price, times the factor of the channel. */
const costs: Readonly<Record<string, number | null>> = {
  // $2.5 and $10 for a million tokens; a unit is $2 for a million.
  'gpt-4o': Math.round(21_007 * 1.25 + 1009 * 5),
  // Of gpt-4.1-mini: $0.4 and $1.6.
  alias: Math.round(21_007 * 0.2 + 1009 * 0.8),
  // $0.15 and $0.6, 30 % below.
  'gpt-4o-mini': Math.round(0.7 * (21_007 * 0.075 + 1009 * 0.3)),
  house: null,
}

const margin = (query: string) => operator.api<Margin>('GET', `/api/data/margin?${query}`)

/** The sums over the log's rows. */
function summed(key: 'model' | 'channel_id' | 'user_id'): Map<string | number, Figures> {
  const sql = `select ${key} as key, count(*) as calls, sum(quota) as quota, count(cost) as costed_calls,
    coalesce(sum(case when cost is not null then quota end), 0) as costed_quota, coalesce(sum(cost), 0) as cost
    from logs where type = 2 group by ${key}`
  const rows = withDatabase(gateway.dataDir, (database) => database.query(sql).all()) as (Figures & {
    key: string | number
  })[]
  return new Map(rows.map(({ key: name, ...figures }) => [name, figures]))
}

async function agrees(): Promise<void> {
  for (const [by, column] of [
    ['model', 'model'],
    ['channel', 'channel_id'],
    ['user', 'user_id'],
  ] as const) {
    const { total, rows } = await margin(`by=${by}`)
    const expected = summed(column)
    const found = rows.map(({ model_name, id, name: _, ...figures }) => [
      by === 'model' ? model_name : id,
      figures,
    ])
    expect(new Map(found as never)).toEqual(expected as never)
    const all = [...expected.values()]
    for (const figure of ['calls', 'quota', 'costed_calls', 'costed_quota', 'cost'] as const)
      expect(total[figure]).toBe(all.reduce((sum, row) => sum + row[figure], 0))
  }
  expect((await gateway.run('audit')).output).toContain('adds up')
}

describe('the cost of a call', () => {
  it('is beside its charge in the log of administrators: by list price, mapping and factor', async () => {
    for (const [index, model] of models.entries()) {
      await call(model)
      const row = (await operator.consumption(index + 1)) as unknown as { quota: number; cost: number | null }
      expect([model, row.cost]).toEqual([model, costs[model] ?? null])
    }
  })

  it('adds up to the unit by model, channel and user as a query over the rows does', async () => {
    for (let round = 0; round < 5; round += 1)
      await Promise.all(models.flatMap((model) => keys.map((key) => call(model, key))))
    await operator.consumption(44)
    await agrees()
    const { total, rows } = await margin('by=user')
    expect(total).toMatchObject({ calls: 44, costed_calls: 33 })
    expect(rows.map(({ name }) => name).toSorted()).toEqual(['root', common.username].toSorted())
    expect((await margin(`by=channel&id=${channels.cheap}`)).rows).toMatchObject([
      { id: channels.cheap, name: 'cheap' },
    ])
    expect((await margin('by=model&model_name=house')).total).toMatchObject({ costed_calls: 0, cost: 0 })
    expect((await margin('by=user&limit=1')).rows).toHaveLength(1)
    expect((await margin('by=model&start_timestamp=1&end_timestamp=7200')).rows).toEqual([])
  })

  it('is of today where the day began this quarter hour, in every figure of it', async () => {
    const rows = withDatabase(gateway.dataDir, (database) =>
      database.query('select created_at as at, quota from logs where type = 2 order by id').all(),
    ) as { at: number; quota: number }[]
    const midnight = Math.floor((rows.at(-1)?.at ?? 0) / 900) * 900
    const today = rows.filter(({ at }) => at >= midnight)
    const figures = { count: today.length, quota: today.reduce((sum, { quota }) => sum + quota, 0) }
    // Ahead of UTC by what is left of its day, or behind by what is over of it.
    const over = (midnight % 86_400) / 60
    const clock = `utc_offset=${over <= 720 ? -over : 1440 - over}`
    const times = `start_timestamp=${midnight}&end_timestamp=${midnight + 86_399}`
    const read = (path: string) => operator.api('GET', path) as Promise<unknown>
    expect(await read(`/api/data/summary?${clock}`)).toMatchObject({
      today: figures,
      attempts: { today: { ok: today.length } },
    })
    const days = (await read(`/api/data/?granularity=day&${clock}&${times}`)) as {
      created_at: number
      count: number
    }[]
    expect(new Set(days.map(({ created_at }) => created_at))).toEqual(new Set([midnight]))
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(today.length)
    expect(await read(`/api/data/spend?${times}`)).toMatchObject({ total: figures })
    expect((await margin(`by=user&${times}`)).total).toMatchObject({
      calls: today.length,
      quota: figures.quota,
    })
    const { steps } = (await read(`/api/log/histogram?${clock}&${times}`)) as {
      steps: { at: number; calls: number }[]
    }
    expect(steps.reduce((sum, { calls }) => sum + calls, 0)).toBe(today.length)
  })

  it('survives a kill, and is replayed from the journal', async () => {
    await Promise.all(models.map((model) => call(model)))
    await gateway.kill('SIGKILL')
    await gateway.start()
    await operator.consumption(48)
    await agrees()
  })

  it('follows what the operator pays, from the next call on', async () => {
    await operator.option('ModelCost', '{"house":{"model_ratio":0.5,"completion_ratio":2}}')
    await call('house')
    const row = (await operator.consumption(49)) as unknown as { cost: number }
    expect(row.cost).toBe(Math.round(21_007 * 0.5 + 1009))
    await agrees()
  })

  it('counts for channels and users while the log is off, too', async () => {
    await operator.option('LogConsumeEnabled', 'false')
    const before = await margin('by=channel')
    await call('gpt-4o')
    const after = await margin('by=channel')
    expect(after.total.cost - before.total.cost).toBe(costs['gpt-4o'] ?? 0)
    expect((await gateway.run('audit')).output).toContain('adds up')
    await operator.option('LogConsumeEnabled', 'true')
  })
})

describe('the costs of models', () => {
  interface Cost {
    readonly model_name: string
    readonly channel: number
    readonly upstream_model: string
    readonly model_ratio: number
    readonly source: string
    readonly losing_groups: readonly string[]
  }

  it('are listed by channel, and name the groups that are charged less', async () => {
    const listed = await operator.api<Cost[]>('GET', '/api/data/costs')
    const { listed: list, cheap, own } = channels
    expect(listed).toMatchObject([
      {
        model_name: 'alias',
        channel: list,
        upstream_model: 'gpt-4.1-mini',
        model_ratio: 0.2,
        source: 'list',
      },
      { model_name: 'gpt-4o', channel: list, model_ratio: 1.25, losing_groups: ['default'] },
      { model_name: 'gpt-4o-mini', channel: cheap, model_ratio: 0.0525, losing_groups: [] },
      { model_name: 'house', channel: own, model_ratio: 0.5, source: 'option' },
    ])
    const losing = await operator.api<Cost[]>('GET', '/api/data/costs?losing=true')
    expect(losing.map(({ model_name }) => model_name)).toEqual(['gpt-4o'])
  })

  it('refuse a factor that is none, and a cost that is none', async () => {
    const id = channels.cheap
    const refused = await operator.call('PUT', '/api/channel/', { id, setting: '{"cost_factor":-1}' })
    expect(refused).toMatchObject({ success: false, code: 'channel_setting_not_factor' })
    const option = { key: 'ModelCost', value: '{"house":{}}' }
    expect(await operator.call('PUT', '/api/option/', option)).toMatchObject({
      success: false,
      code: 'option_entry_model_cost',
    })
  })
})

describe('users', () => {
  it('never see a cost or a margin, through any call that is open to them', async () => {
    const contract = await readContract(gateway.url)
    const own = contract.calls.filter(
      ({ method, access, changes }) =>
        method === 'GET' && !changes && ['public', 'user', 'relay-key'].includes(access),
    )
    expect(own.length).toBeGreaterThan(30)
    const secret = costs['gpt-4o'] ?? 0
    let rows = 0
    for (const each of own) {
      const headers =
        each.access === 'relay-key' ? { authorization: `Bearer ${keys[1]}` } : { ...common.headers }
      const seen = await send(gateway.url, each, argumentsOf(contract, each), headers)
      if (seen.text.includes('gpt-4o-mini')) rows += 1
      // The document of the contract and the page of prices name such fields and prices; no response has the figures.
      expect([each.name, seen.text.includes(String(secret))]).toEqual([each.name, false])
      if (each.path !== '/api/openapi.json')
        expect([
          each.name,
          /"(cost|costed_\w+|margin|cost_factor|ModelCost)"|Your cost|Margin/.exec(seen.text),
        ]).toEqual([each.name, null])
    }
    // Their log, its export, the log of their key and the statistics were read with rows in them.
    expect(rows).toBeGreaterThanOrEqual(4)
  })

  it('are refused the calls that say what calls cost', async () => {
    for (const target of ['/api/data/margin', '/api/data/costs']) {
      const seen = await send(gateway.url, { method: 'GET' }, { target }, common.headers)
      expect([target, seen.envelope.success]).toEqual([target, false])
      expect((await send(gateway.url, { method: 'GET' }, { target })).envelope.success).not.toBe(true)
    }
  })
})
