import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { groupMaps } from '../../../apps/server/src/settings/effective-values.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { callWith } from '../../support/imports/imported.ts'
import { type Envelope, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

type Requested = Envelope<unknown> & {
  readonly confirmation?: string
  readonly groups?: readonly string[]
  readonly consequences?: readonly { readonly code: string }[]
}

/** Roads by which the price of a model and the list of groups are written: each sends one change with some answers. */
function consequenceStory(environment: () => Promise<Record<string, string>>): void {
  let gateway: Tollgate
  let root: Operator

  beforeAll(async () => {
    gateway = await startTollgate({ env: { ...consoleWithoutLimits, ...(await environment()) } })
    root = await operate(gateway.url)
  })
  afterAll(() => gateway?.stop())

  const put = (body: object) => root.call('PUT', '/api/option/', body) as Promise<Requested>
  const optionOf = async (key: string) => {
    const options = await root.api<{ key: string; value: string }[]>('GET', '/api/option/')
    return JSON.parse(options.find((option) => option.key === key)?.value ?? '{}') as Record<string, number>
  }
  const lastChange = async (name: string) => {
    const { items } = await root.api<{ items: { id: number; target_name: string }[] }>(
      'GET',
      '/api/audit_log/?action=option.update&page_size=50',
    )
    return items.find(({ target_name }) => target_name === name)?.id
  }
  const query = ({ confirmation = '' }: { readonly confirmation?: string | undefined }) =>
    `?confirmation=${confirmation}`

  type Answers = { readonly confirmation?: string | undefined; readonly moves?: Record<string, string> }
  type Road = (answers: Answers) => Promise<Requested>

  /** Price from $2 to $200,000 for a million tokens, or back. */
  const dear = 100_000
  const roads: Readonly<Record<string, { readonly set: () => Promise<unknown>; readonly road: Road }>> = {
    'the whole map': {
      set: () => root.option('ModelRatio', '{"house":1}'),
      road: (answers) => put({ key: 'ModelRatio', value: `{"house":${dear}}`, ...answers }),
    },
    'an entry of the map': {
      set: () => root.option('ModelRatio', '{"house":1}'),
      road: (answers) => put({ key: 'ModelRatio', entries: { house: dear }, ...answers }),
    },
    'a batch': {
      set: () => root.option('ModelRatio', '{"house":1}'),
      road: (answers) =>
        root.call('PUT', '/api/option/batch', {
          options: [
            { key: 'RetryTimes', value: '4' },
            { key: 'ModelRatio', value: `{"house":${dear}}` },
          ],
          ...answers,
        }) as Promise<Requested>,
    },
    'the form of a model': {
      set: () => root.option('ModelRatio', '{"house":1}'),
      road: (answers) =>
        root.call('PUT', '/api/models/price', {
          model_name: 'house',
          price: { input: 2 * dear },
          ...answers,
        }) as Promise<Requested>,
    },
    'a default': {
      set: () => root.option('ModelRatio', `{"gpt-4o":${dear}}`),
      road: (answers) => put({ key: 'ModelRatio', clear: true, ...answers }),
    },
    'the reset of all ratios': {
      set: () => root.option('ModelRatio', `{"gpt-4o":${dear}}`),
      road: (answers) =>
        root.call('POST', `/api/option/rest_model_ratio${query(answers)}`) as Promise<Requested>,
    },
    'an undo': {
      async set() {
        await root.option('ModelRatio', `{"house":${dear}}`)
        await root.option('ModelRatio', '{"house":1}')
      },
      async road(answers) {
        return (await root.call(
          'POST',
          `/api/audit_log/${await lastChange('ModelRatio')}/revert${query(answers)}`,
        )) as Requested
      },
    },
  }

  it.each(Object.keys(roads))(
    'asks about a price that is far off, by %s, and saves it once confirmed',
    async (name) => {
      const { set, road } = roads[name] ?? {
        set: async () => {},
        road: () => Promise.reject(new Error(name)),
      }
      await set()
      const before = await optionOf('ModelRatio')
      const requested = await road({})
      expect([requested.success, requested.code]).toEqual([false, 'confirmation_required'])
      expect(requested.message).toMatch(/house|gpt-4o/)
      expect(await optionOf('ModelRatio')).toEqual(before)
      expect((await road({ confirmation: 'something else' })).code).toBe('confirmation_required')
      expect(await optionOf('ModelRatio')).toEqual(before)
      expect(await road({ confirmation: requested.confirmation })).toMatchObject({ success: true })
      expect(await optionOf('ModelRatio')).not.toEqual(before)
    },
  )

  it('asks nobody about a change that is usual', async () => {
    await root.option('ModelRatio', '{"house":1}')
    expect((await put({ key: 'ModelRatio', value: '{"house":2,"new":30}' })).success).toBe(true)
  })

  const withGold = '{"default":1,"gold":0.5,"silver":0.8}'
  const groupRoads: Readonly<Record<string, Road>> = {
    'the whole map': (answers) => put({ key: 'GroupRatio', value: '{"default":1,"silver":0.8}', ...answers }),
    'an entry': (answers) => put({ key: 'GroupRatio', entries: { gold: null }, ...answers }),
    'a batch': (answers) =>
      root.call('PUT', '/api/option/batch', {
        options: [{ key: 'GroupRatio', value: '{"default":1,"silver":0.8}' }],
        ...answers,
      }) as Promise<Requested>,
  }

  it.each(Object.keys(groupRoads))('asks where the members of a removed group go, by %s', async (name) => {
    const road = groupRoads[name] ?? (() => Promise.reject(new Error(name)))
    await root.option('GroupRatio', withGold)
    const user = await addUser(gateway, `member${Object.keys(groupRoads).indexOf(name)}`, 1)
    await root.api('PUT', '/api/user/', { id: user.userId, group: 'gold' })
    const key = await user.addKey({ group: 'gold' })
    const channel = await root.addChannel({
      name,
      base_url: 'http://127.0.0.1:1',
      models: 'm',
      group: 'gold,default',
    })
    for (const answers of [{}, { moves: {} }]) {
      const requested = await road(answers)
      expect([requested.code, requested.groups]).toEqual(['confirmation_required', ['gold']])
      // Nobody can confirm that people are left behind.
      expect((await road({ ...answers, confirmation: requested.confirmation })).code).toBe(
        'confirmation_required',
      )
    }
    expect((await road({ moves: { gold: 'nowhere' } })).code).toBe('group_move_unknown')
    expect((await optionOf('GroupRatio'))['gold']).toBe(0.5)
    expect(await road({ moves: { gold: 'silver' } })).toMatchObject({ success: true })
    type Grouped = { readonly group: string }
    expect(await root.api<Grouped>('GET', `/api/user/${user.userId}`)).toMatchObject({ group: 'silver' })
    expect(await user.api<Grouped>('GET', `/api/token/${key.id}`)).toMatchObject({ group: 'silver' })
    expect((await root.api<Grouped>('GET', `/api/channel/${channel.id}`)).group).toBe('silver,default')
  })

  it('asks nothing about a group that nobody is in', async () => {
    await root.option('GroupRatio', withGold)
    expect((await put({ key: 'GroupRatio', entries: { gold: null } })).success).toBe(true)
  })

  it('leaves entries of a removed group in other maps, where they limit and charge nobody', async () => {
    const ratios = (more: object) => JSON.stringify({ default: 1, silver: 0.8, tin: 2, ...more })
    await root.option('GroupRatio', ratios({ bronze: 3 }))
    const entries: Readonly<Record<(typeof groupMaps)[number], object>> = {
      UserUsableGroups: { default: 'all', bronze: 'bronze' },
      TopupGroupRatio: { default: 1, bronze: 0.01, tin: 2 },
      ModelRequestRateLimitGroup: { bronze: [1, 1] },
      GroupRateLimits: { bronze: { requests_per_minute: 1 } },
    }
    for (const [key, value] of Object.entries(entries)) await root.option(key, JSON.stringify(value))
    const switches = { ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitSuccessCount: '1000' }
    const payment = { PayAddress: 'https://pay.example', EpayId: '1', EpayKey: 'a key', Price: '7' }
    for (const [key, value] of Object.entries({ ...switches, ...payment, ModelRatio: '{"house":1}' }))
      await root.option(key, value)
    const upstream = await startUpstream()
    try {
      const group = 'default,bronze'
      await root.addChannel({ name: 'of groups', base_url: upstream.url, models: 'house', group })
      const smith = await addUser(gateway, 'bronzesmith', 1_000_000)
      await root.api('PUT', '/api/user/', { id: smith.userId, group: 'bronze' })
      const { key } = await smith.addKey({ group: 'bronze' })
      const removed = await put({ key: 'GroupRatio', value: ratios({}), moves: { bronze: 'tin' } })
      expect(removed).toMatchObject({ success: true })
      for (const map of groupMaps) expect(Object.keys(await optionOf(map))).toContain('bronze')

      const rows = await root.consumed()
      for (let calls = 0; calls < 3; calls += 1) expect(await callWith(gateway.url, key, 'house')).toBe(200)
      const row = await root.consumption(rows + 3)
      expect(JSON.parse(row.other)).toMatchObject({ group_ratio: 2 })
      expect((row as typeof row & { readonly group: string }).group).toBe('tin')
      const usable = await smith.api<Record<string, unknown>>('GET', '/api/user/self/groups')
      expect(Object.keys(usable)).not.toContain('bronze')
      expect((await smith.call('POST', '/api/token/', { name: 'late', group: 'bronze' })).success).toBe(false)
      const amount = await smith.call('POST', '/api/user/amount', { amount: 10 })
      expect(Number(amount.data)).toBe(140)
    } finally {
      await upstream.stop()
      for (const key of ['ModelRequestRateLimitGroup', 'GroupRateLimits', ...Object.keys(switches)])
        await root.api('PUT', '/api/option/', { key, clear: true })
    }
  })

  it('asks where an undo would remove a group again', async () => {
    const { gold: _, ...without } = await optionOf('GroupRatio')
    await root.option('GroupRatio', JSON.stringify({ ...without, copper: 0.9 }))
    const user = await addUser(gateway, 'coppersmith', 1)
    await root.api('PUT', '/api/user/', { id: user.userId, group: 'copper' })
    const undo = await root.call('POST', `/api/audit_log/${await lastChange('GroupRatio')}/revert`)
    expect(undo.code).toBe('confirmation_required')
  })

  it('renames a model in channels, prices and lists of keys in one step, after a preview', async () => {
    await root.option('ModelRatio', '{"old-name":2}')
    await root.option('CacheRatio', '{"old-name":0.25}')
    const channel = await root.addChannel({
      name: 'renamed',
      base_url: 'http://127.0.0.1:1',
      models: 'old-name,other',
      test_model: 'old-name',
    })
    const key = await root.addKey({ model_limits_enabled: true, model_limits: 'old-name,other' })
    const body = { model_name: 'old-name', new_name: 'new-name' }
    const preview = await root.api<object>('POST', '/api/models/rename/preview', body)
    expect(preview).toEqual({
      channels: [{ id: channel.id, name: 'renamed' }],
      options: ['ModelRatio', 'CacheRatio'],
      tokens: 1,
    })
    expect((await optionOf('ModelRatio'))['old-name']).toBe(2)
    expect(await root.api<object>('POST', '/api/models/rename', body)).toEqual(preview)
    expect([await optionOf('ModelRatio'), await optionOf('CacheRatio')]).toEqual([
      { 'new-name': 2 },
      { 'new-name': 0.25 },
    ])
    expect(await root.api<object>('GET', `/api/channel/${channel.id}`)).toMatchObject({
      models: 'new-name,other',
      test_model: 'new-name',
      model_mapping: '{"new-name":"old-name"}',
    })
    expect(await root.api<object>('GET', `/api/token/${key.id}`)).toMatchObject({
      model_limits: 'new-name,other',
    })
    expect((await root.call('POST', '/api/models/rename', body)).code).toBe('model_name_taken')
    expect(
      (await root.call('POST', '/api/models/rename', { ...body, model_name: 'x', new_name: 'y' })).code,
    ).toBe('model_name_unknown')
  })

  it('says which models stop without a channel, for whom, and how the last hour used them', async () => {
    const upstream = await startUpstream()
    try {
      await root.option('ModelRatio', '{"only-here":1,"shared":1}')
      const only = await root.addChannel({ name: 'only', base_url: upstream.url, models: 'only-here,shared' })
      const other = await root.addChannel({ name: 'other', base_url: upstream.url, models: 'shared' })
      const user = await addUser(gateway, 'caller-of-one', 1_000_000)
      const { key } = await user.addKey()
      const rows = await root.consumed()
      for (const model of ['only-here', 'only-here', 'shared'])
        expect(await callWith(gateway.url, key, model)).toBe(200)
      await root.consumption(rows + 3)
      const stops = (body: object) => root.api<object>('POST', '/api/channel/stops', body)
      expect(await stops({ ids: [only.id] })).toMatchObject({
        models: [{ model: 'only-here', groups: ['default'] }],
        model_count: 1,
        calls: 2,
        users: 1,
      })
      expect(await stops({ ids: [other.id] })).toMatchObject({
        models: [],
        model_count: 0,
        calls: 0,
        users: 0,
      })
      expect(await stops({ ids: [only.id, other.id] })).toMatchObject({
        model_count: 2,
        calls: 3,
        attempts: 3,
      })
      expect(await stops({ ids: [only.id], models: 'shared' })).toMatchObject({ model_count: 1, attempts: 0 })
      const loses = await stops({ ids: [only.id], lost_models: 'only-here,unknown' })
      expect(loses).toMatchObject({ models: [{ model: 'only-here' }], model_count: 1, attempts: 0 })
      expect(await stops({ ids: [only.id, other.id], lost_groups: 'vip' })).toMatchObject({ model_count: 0 })
      expect(await stops({ ids: [only.id], models: 'only-here', group: 'default' })).toMatchObject({
        model_count: 0,
      })
      await root.api('PUT', '/api/channel/', { id: only.id, status: 2 })
      expect(await callWith(gateway.url, key, 'only-here')).not.toBe(200)
      const { items } = await root.api<{ items: { id: number }[] }>(
        'GET',
        `/api/audit_log/?action=channel.disable&target_kind=channel&target_id=${only.id}&page_size=1`,
      )
      await root.api('POST', `/api/audit_log/${items[0]?.id}/revert`)
      expect(await callWith(gateway.url, key, 'only-here')).toBe(200)
      await root.api('DELETE', `/api/channel/${only.id}`)
      await root.api('DELETE', `/api/channel/${other.id}`)
    } finally {
      await upstream.stop()
    }
  })

  it('says who pays how much more with a new price or ratio, and whom a price or group that goes leaves without', async () => {
    const upstream = await startUpstream()
    try {
      await root.option('ModelRatio', '{"dear":1}')
      for (const [key, entries] of [
        ['GroupRatio', { default: 1, guests: 2 }],
        ['UserUsableGroups', { default: 'all', guests: 'all' }],
      ] as const)
        await root.api('PUT', '/api/option/', { key, entries })
      const group = 'default,guests'
      await root.addChannel({ name: 'priced', base_url: upstream.url, models: 'dear', group })
      const [own, guest] = [
        await addUser(gateway, 'own-of-guests', 1_000_000),
        await addUser(gateway, 'guest', 1_000_000),
      ]
      await root.api('PUT', '/api/user/', { id: own.userId, group: 'guests' })
      const rows = await root.consumed()
      for (const user of [own, own, guest])
        expect(await callWith(gateway.url, (await user.addKey({ group: 'guests' })).key, 'dear')).toBe(200)
      await root.consumption(rows + 3)
      const before = [await optionOf('ModelRatio'), await optionOf('GroupRatio')]
      const stops = (body: object) => root.api<object>('POST', '/api/channel/stops', body)
      const charge = { model: 'dear', group: 'guests', part: 'input', unit: 'million' }
      // Output costs what input does where it has no price of its own.
      expect(await stops({ price: { model_name: 'dear', price: { input: 3 } } })).toMatchObject({
        charges: [
          { ...charge, group: 'default', before: 2, after: 3 },
          { ...charge, group: 'default', part: 'output', before: 2, after: 3 },
          { ...charge, before: 4, after: 6 },
          { ...charge, part: 'output', before: 4, after: 6 },
        ],
        ...{ charge_count: 4, model_count: 0, calls: 3, users: 2 },
      })
      type Spend = { readonly spend?: { readonly before: number; readonly after: number } }
      const { spend } = (await stops({ price: { model_name: 'dear', price: { input: 3 } } })) as Spend
      expect(spend?.before).toBeGreaterThan(0)
      expect(spend?.after).toBe(Math.round((spend?.before ?? 0) * 1.5))
      // The settings send options as they would be: the question is the same.
      const settings = { options: [{ key: 'ModelRatio', value: '{"dear":1.5}' }] }
      expect(await stops(settings)).toMatchObject({ charge_count: 4, calls: 3, users: 2, spend })
      expect(await stops({ price: { model_name: 'dear', price: null } })).toMatchObject({
        models: [{ model: 'dear', groups: ['default', 'guests'] }],
        ...{ charges: [], calls: 3, users: 2 },
      })
      const changed = (settings: object | null) => stops({ changed_group: { name: 'guests', settings } })
      expect(await changed({ ratio: 3 })).toMatchObject({
        charges: [{ model: '', group: 'guests', part: 'GroupRatio', unit: 'factor', before: 2, after: 3 }],
        ...{ calls: 3, users: 2 },
      })
      // Who is in the group themselves goes on calling in it.
      expect(await changed({ is_open: false })).toMatchObject({ charge_count: 0, calls: 1, users: 1 })
      expect(await changed(null)).toMatchObject({ charge_count: 0, calls: 3, users: 2 })
      expect(await changed({ concurrency: 3 })).toMatchObject({ charge_count: 0, calls: 0, users: 0 })
      expect([await optionOf('ModelRatio'), await optionOf('GroupRatio')]).toEqual(before)
    } finally {
      await upstream.stop()
    }
  })

  it('switches a channel off at its time and on again, once', async () => {
    const channel = await root.addChannel({ name: 'planned', base_url: 'http://127.0.0.1:9', models: 'p' })
    const path = `/api/channel/${channel.id}`
    const now = Math.floor(Date.now() / 1000)
    const planned = await root.api<object>('PUT', `${path}/schedule`, { off_at: now + 2, on_at: now + 9 })
    expect(planned).toMatchObject({ schedule: { off_at: now + 2, by: 'root' } })
    const status = async () => (await root.api<{ status: number }>('GET', path)).status
    await until(async () => ((await status()) === 2 ? true : undefined), 20_000)
    await until(async () => ((await status()) === 1 ? true : undefined), 20_000)
    const acts = await root.api<{ items: { action: string; actor_name: string; after: string }[] }>(
      'GET',
      `/api/audit_log/?target_kind=channel&target_id=${channel.id}&page_size=50`,
    )
    const bySystem = acts.items.filter(({ actor_name }) => actor_name === 'tollgate')
    const switched = bySystem.filter(({ action }) => action !== 'channel.end-drain')
    expect(switched.map(({ action }) => action)).toEqual(['channel.enable', 'channel.disable'])
    expect(switched.every(({ after }) => after.includes('"scheduled_by":"root"'))).toBe(true)
    await root.api('DELETE', path)
  })

  it('drains a channel: new calls go elsewhere, an open stream goes on, and it is disabled when that has ended', async () => {
    const upstream = await startUpstream()
    try {
      const end = Promise.withResolvers<void>()
      upstream.on('drained', async (exchange) => {
        await end.promise
        await respond({ text: 'to its end' })(exchange)
      })
      await root.option('ModelRatio', '{"drained":1}')
      const fields = { base_url: upstream.url, models: 'drained' }
      const [first, other] = [
        await root.addChannel({ name: 'drained first', priority: 9, ...fields }),
        await root.addChannel({ name: 'takes over', ...fields }),
      ]
      const caller = await addUser(gateway, 'drained-caller', 1_000_000)
      const { key } = await caller.addKey({ name: 'k', unlimited_quota: true })
      const rows = await root.consumed()
      const open = callWith(gateway.url, key, 'drained')
      await upstream.call(({ model }) => model === 'drained', 10_000)
      const path = `/api/channel/${first.id}`
      type Drained = { status: number; drain: { open_calls: number; silent_nodes: number } | null }
      const drained = () => root.api<Drained>('GET', path)
      await root.api('POST', `${path}/drain`, {})
      const isCounted = async () => (await drained()).drain?.open_calls === 1
      await until(async () => ((await isCounted()) ? true : undefined), 10_000)
      const second = callWith(gateway.url, key, 'drained')
      await until(() => (upstream.open().length === 2 ? true : undefined), 10_000)
      expect(await isCounted()).toBe(true)
      end.resolve()
      expect(await Promise.all([open, second])).toEqual([200, 200])
      await until(async () => ((await drained()).drain === null ? true : undefined), 30_000)
      expect((await drained()).status).toBe(2)
      await until(async () => ((await root.consumed()) === rows + 2 ? true : undefined), 10_000)
      const { items } = await root.api<{ items: { action: string; actor_name: string; id: number }[] }>(
        'GET',
        `/api/audit_log/?target_kind=channel&target_id=${first.id}&page_size=50`,
      )
      expect(items.map(({ action, actor_name }) => `${action} ${actor_name}`).slice(0, 2)).toEqual([
        'channel.end-drain tollgate',
        'channel.drain root',
      ])
      await root.api('POST', `/api/audit_log/${items[1]?.id}/revert`)
      expect(await drained()).toMatchObject({ status: 1, drain: null })
      for (const { id } of [first, other]) await root.api('DELETE', `/api/channel/${id}`)
    } finally {
      await upstream.stop()
    }
  })

  it('gives the reason of a credit to whoever gets it', async () => {
    const user = await addUser(gateway, 'rewarded', 1)
    await root.api('PUT', '/api/user/', { id: user.userId, quota_change: 500, reason: 'for the outage' })
    const { items } = await user.api<{ items: { content: string }[] }>('GET', '/api/log/self?type=3')
    expect(items[0]?.content).toContain('for the outage')
  })
}

describe('consequences of a change over SQLite', () => consequenceStory(async () => ({})))

describe.skipIf(!hasPostgres())('consequences of a change over PostgreSQL', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.stop())
  consequenceStory(async () => ({ DATABASE_URL: await postgres.createDatabase() }))
})
