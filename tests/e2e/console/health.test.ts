import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import { figures as linkedFigures } from '../../../apps/web/src/lib/figures/figures.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser, userPassword } from '../../support/add-user.ts'
import { walkFigures, walkGroupCounts } from '../../support/figures/walk.ts'
import { type Envelope, logIn, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { cutAfter, inTurn, refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

interface ChannelRow {
  readonly id: number
  readonly name: string
  readonly test_failure: { readonly code: string; readonly params: Record<string, unknown> } | null
  readonly health: {
    readonly condition: string
    readonly last_hour: { readonly ok: number; readonly failed: number; readonly other_failures: number }
    readonly keys: readonly { readonly status: string; readonly reason_code: string }[]
  }
}

interface Attempts {
  readonly ok: number
  readonly faults: Readonly<Record<string, number>>
}

interface Calls extends Attempts {
  readonly broken: number
}

interface StatusPage {
  readonly days: readonly number[]
  readonly models: readonly object[]
  readonly incidents: readonly { id: number }[]
}

interface Incident {
  readonly id: number
  readonly kind: string
  readonly level: number
  readonly calls_lost: number
  readonly members: { readonly first: readonly { readonly name: string }[] }
  readonly users: { readonly first: readonly { readonly name: string }[] }
}

interface Summary {
  readonly week: { readonly count: number; readonly errors: number }
  readonly calls: { readonly week: Calls }
  readonly attempts: { readonly week: Attempts }
  readonly rescued: { readonly week: number }
  readonly failing_models: readonly (Calls & { readonly model_name: string; readonly errors: number })[]
  readonly failing_channels: readonly (Attempts & { readonly channel_name: string; readonly calls: number })[]
}

let gateway: Tollgate
let healthy: Upstream
let broken: Upstream
let root: Operator
let emil: Operator
/** An administrator below root. */
let ada: Operator
/** Of those who call; the last one is used up. */
const keys = { root: { id: 0, key: '' }, emil: { id: 0, key: '' }, spent: { id: 0, key: '' } }

async function call(who: keyof typeof keys, model: string, times: number, stream = false): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys[who].key}` },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await response.text().catch(() => '')
  }
}

const sentTo = (upstream: Upstream, model: string) =>
  upstream.calls.filter((received) => received.model === model).length
const channels = () => root.api<ChannelRow[]>('GET', '/api/channel/?p=0&page_size=20')
const summary = (who: Operator, path = '/api/data/summary') => who.api<Summary>('GET', path)
const channel = async (name: string): Promise<ChannelRow> => {
  const found = (await channels()).find((row) => row.name === name)
  if (found === undefined) throw new Error(`no channel ${name}`)
  return found
}
const figures = async (name: string) => {
  const { ok, failed, other_failures } = (await channel(name)).health.last_hour
  return { ok, failed, other_failures }
}

/** Sums of the rollup, by what is asked. */
function counted(columns: string, where: string): Record<string, number> {
  const database = new Database(join(gateway.dataDir, 'tollgate.db'), { readonly: true })
  const rows = database
    .query<{ name: string; count: number }, []>(
      `select ${columns} as name, sum(count) as count from attempt_counts where ${where} group by 1 order by 1`,
    )
    .all()
  database.close()
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** An administrator whose only part is the usage log. */
async function administratorOfLog(): Promise<Operator> {
  const credentials = await addAdministrator(gateway, 'lois')
  const lois = await logIn(gateway.url, credentials)
  await root.api('PUT', `/api/user/${lois.userId}/parts`, { parts: ['log'] })
  return lois
}

/** Reads as a viewer of the user does, with the viewer's own session. */
function seenAs(viewer: Operator, userId: number): Pick<Operator, 'api'> {
  const headers = { cookie: viewer.cookie, 'New-Api-User': String(userId) }
  return {
    async api<T>(method: string, path: string): Promise<T> {
      const response = await fetch(gateway.url + path, { method, headers })
      const { success, message, data } = (await response.json()) as Envelope<T>
      if (!success) throw new Error(`${method} ${path}: ${message}`)
      return data
    },
  }
}

beforeAll(async () => {
  healthy = await startUpstream()
  broken = await startUpstream()
  healthy.on('strict', refuse(400, { message: 'no such parameter', type: 'invalid_request_error' }))
  broken.on('pair', refuse(500))
  broken.on('revoked', refuse(401, { message: 'bad key' }))
  broken.on('cut', inTurn(respond(), respond(), cutAfter(2)))
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  root = await operate(gateway.url)
  await root.option('SelfUseModeEnabled', 'true')
  await root.option('RetryTimes', '1')
  await root.option('AutomaticDisableChannelEnabled', 'true')
  await root.addChannel({ name: 'alive', base_url: healthy.url, models: 'gpt-4o,pair,strict' })
  await root.addChannel({ name: 'first', base_url: broken.url, models: 'pair', priority: 10 })
  await root.addChannel({ name: 'revoked key', base_url: broken.url, models: 'revoked' })
  await root.addChannel({ name: 'cuts', base_url: broken.url, models: 'cut' })
  await root.addChannel({ name: 'unused', base_url: broken.url, models: 'never-called' })
  keys.root = await root.addKey()
  keys.spent = await root.addKey({ unlimited_quota: false, remain_quota: 0 })
  emil = await addUser(gateway, 'emil', 0)
  ada = await addUser(gateway, 'ada', 0)
  await root.api('POST', '/api/user/manage', { id: ada.userId, action: 'promote' })
  keys.emil = await emil.addKey()
  await call('root', 'gpt-4o', 6)
  await call('root', 'pair', 4)
  await call('root', 'strict', 2)
  await call('root', 'cut', 8, true)
  await call('root', 'revoked', 1)
  await until(async () =>
    (await channel('revoked key')).health.condition === 'auto-disabled' ? true : undefined,
  )
  await call('root', 'revoked', 2)
  await call('root', 'no-such-model', 4)
  await call('emil', 'gpt-4o', 5)
  await call('spent', 'gpt-4o', 3)
})
afterAll(async () => {
  await gateway?.stop()
  await healthy?.stop()
  await broken?.stop()
})

describe('an outage', () => {
  it('counts every attempt at the channel that it was made at, also where another channel served the call', async () => {
    expect(sentTo(broken, 'pair')).toBe(4)
    expect(sentTo(broken, 'revoked')).toBe(1)
    expect(await figures('first')).toEqual({ ok: 0, failed: 4, other_failures: 0 })
    expect(await figures('alive')).toEqual({
      ok: sentTo(healthy, 'gpt-4o') + sentTo(healthy, 'pair'),
      failed: 0,
      other_failures: sentTo(healthy, 'strict'),
    })
    expect(await figures('cuts')).toEqual({ ok: 2, failed: 6, other_failures: 0 })
    expect(await figures('revoked key')).toEqual({ ok: 0, failed: 1, other_failures: 0 })
    expect(await figures('unused')).toEqual({ ok: 0, failed: 0, other_failures: 0 })
  })

  it('says in one word how each channel is doing, and puts the worst first', async () => {
    const conditions = Object.fromEntries(
      (await channels()).map(({ name, health }) => [name, health.condition]),
    )
    expect(conditions).toEqual({
      alive: 'healthy',
      first: 'failing',
      'revoked key': 'auto-disabled',
      cuts: 'failing',
      unused: 'untested',
    })
    const sorted = await root.api<ChannelRow[]>(
      'GET',
      '/api/channel/?p=0&page_size=20&sort=problems&order=desc',
    )
    expect(sorted.map(({ name }) => name)).toEqual(['revoked key', 'first', 'cuts', 'unused', 'alive'])
    const { health } = await channel('revoked key')
    expect(health.keys).toMatchObject([{ status: 'auto-disabled', reason_code: 'key_refused' }])
  })

  it('names models and channels by the fault of those who run the gateway, not of callers without a balance', async () => {
    const { attempts, calls, week, rescued, failing_models, failing_channels } = await summary(root)
    const none = { upstream: 0, caller: 0, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
    // Midnight may have passed since: the week is the same.
    expect(attempts.week).toEqual({ ok: 12, faults: { ...none, upstream: 11, caller: 2 } })
    // Callers received what another channel served, and saw the beginning of six that broke off.
    expect(calls.week).toEqual({
      ok: 12,
      broken: 6,
      faults: { ...none, upstream: 1, caller: 2, balance: 8, no_channel: 6 },
    })
    expect(rescued.week).toBe(4)
    expect(week.count).toBe(18)
    expect(failing_models.map(({ model_name, broken, errors }) => [model_name, broken, errors])).toEqual([
      ['cut', 6, 0],
      ['no-such-model', 0, 4],
      ['revoked', 0, 3],
    ])
    expect(failing_channels.map((row) => [row.channel_name, row.faults['upstream'], row.calls])).toEqual([
      ['cuts', 6, 8],
      ['first', 4, 4],
      ['revoked key', 1, 1],
    ])
  })

  it('is one incident a cause, with what it cost, for every administrator to accept', async () => {
    const list = (who: Operator, state: string) =>
      who.api<{ items: Incident[] }>('GET', `/api/incident/?p=1&page_size=20&state=${state}`)
    // The second that runs is counted when it is over.
    const found = await until(async () => {
      const { items } = await list(ada, 'open')
      return items.some(({ kind, calls_lost }) => kind === 'channel' && calls_lost === 3) ? items : undefined
    }, 30_000)
    const rows = found.map(({ kind, level, members, calls_lost, users }) => [
      kind,
      level,
      members.first.map(({ name }) => name).join(),
      calls_lost,
      users.first.map(({ name }) => name).join(),
    ])
    expect(rows.toSorted()).toEqual([
      ['balance', 2, 'emil', 5, 'emil'],
      ['channel', 4, 'revoked key', 3, 'root'],
      ['errors', expect.any(Number), '', expect.any(Number), 'root'],
      ['provider', 3, 'first,cuts', 0, ''],
      ['untested', 0, 'unused', 0, ''],
    ])
    const id = found.find(({ kind }) => kind === 'channel')?.id ?? 0
    const refused = await ada.call('POST', `/api/incident/${id}/accept`, { until: 1000 })
    expect([refused.success, refused.code]).toEqual([false, 'incident_end_passed'])
    await ada.api('POST', `/api/incident/${id}/accept`, { note: 'the key is on its way' })
    expect(await list(root, 'open')).toMatchObject({ quiet: 1 })
    expect((await list(root, 'quiet')).items).toMatchObject([
      { id, accepted: { by: 'ada', until: 0, note: 'the key is on its way' } },
    ])
    const { items } = await root.api<{ items: { actor_name: string; target_id: number }[] }>(
      'GET',
      '/api/audit_log/?p=1&action=incident.accept',
    )
    expect(items).toMatchObject([{ actor_name: 'ada', target_id: id }])
    await root.api('POST', `/api/incident/${id}/wake`)
    expect((await list(ada, 'quiet')).items).toEqual([])
  })

  it('shows everybody the models and what an operator publishes, while that is switched on', async () => {
    const read = async () => {
      const response = await fetch(`${gateway.url}/api/status_page?time_zone=Asia/Kolkata`)
      const { data, code } = (await response.json()) as Envelope<StatusPage>
      return { data, code, cached: response.headers.get('cache-control') }
    }
    const readFeed = () => fetch(`${gateway.url}/api/status_page/feed?language=zh`)
    expect((await read()).code).toBe('record_not_found')
    expect((await readFeed()).status).toBe(404)
    await root.option('StatusPageEnabled', 'true')
    const { data, cached } = await read()
    expect(cached).toBe('public, max-age=60')
    expect(data.days).toHaveLength(30)
    // Every call of it failed, but three calls are too few for a share.
    expect(data.models).toContainEqual(
      expect.objectContaining({ model_name: 'revoked', days: data.days.map(() => null) }),
    )
    const { items } = await ada.api<{ items: Incident[] }>('GET', '/api/incident/?p=1&page_size=20')
    const cause = items.find(({ kind }) => kind === 'channel')?.id ?? 0
    const draft = await ada.api<object>('GET', `/api/status_page/draft/${cause}`)
    expect(draft).toMatchObject({ models: ['revoked'], ended_at: 0 })
    const body = {
      title: 'Calls fail',
      text: 'We are looking.',
      models: ['revoked', 'gone'],
      incident_id: cause,
    }
    const [made, again] = await Promise.all(
      [1, 2].map(() => ada.call('POST', '/api/status_page/incident', body)),
    )
    const outcomes = [made, again].map((outcome) => outcome?.code ?? '').toSorted()
    expect(outcomes).toEqual(['', 'status_incident_published'])
    const { id } = ((made?.success ? made : again)?.data ?? {}) as { id: number }
    const at = `/api/status_page/incident/${id}`
    const texts = { base: { texts: ['We are looking.'] }, texts: ['We look into it.'] }
    await ada.api('PUT', at, {
      ...texts,
      title: 'Some calls fail',
      models: ['revoked', 'gone'],
      started_at: 1_700_000_000,
    })
    await ada.api('POST', `${at}/update`, { state: 'resolved', text: 'It works again.' })
    expect(
      (await ada.call('PUT', at, { ...texts, base: { texts: ['We look into it.'] }, texts: ['Late.'] })).code,
    ).toBe('edit_conflict')
    const [incident] = (await read()).data.incidents
    expect(incident).toMatchObject({
      ...{ id, title: 'Some calls fail', state: 'resolved', models: ['revoked'], started_at: 1_700_000_000 },
      updates: [{ text: 'We look into it.' }, { state: 'resolved', text: 'It works again.' }],
    })
    const feed = await readFeed()
    expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const entry = await feed.text()
    expect(entry).toContain(`<id>${gateway.url}/status#incident-${id}</id>`)
    expect(entry).toContain('<title>Some calls fail · 已解决</title>')
    expect(entry).toContain('It works again.')
    // What no channel has any more may have been hidden from visitors.
    expect(entry).not.toContain('gone')
    await ada.api('POST', `${at}/unpublish`)
    expect((await read()).data.incidents).toEqual([])
    expect(await (await readFeed()).text()).not.toContain('<entry>')
    const records = await ada.api<{ items: { id: number; action: string }[] }>(
      'GET',
      '/api/audit_log/?p=1&page_size=4&target_kind=status-incident',
    )
    expect(records.items.map(({ action }) => action)).toEqual([
      'status-incident.unpublish',
      'status-incident.update',
      'status-incident.update',
      'status-incident.publish',
    ])
    for (const { id: record } of records.items.slice(0, 2))
      await ada.api('POST', `/api/audit_log/${record}/revert`)
    expect((await read()).data.incidents).toMatchObject([{ state: 'investigating', ended_at: 0 }])
    expect((await emil.call('POST', `${at}/unpublish`)).success).toBe(false)
    await root.option('StatusPageEnabled', 'false')
  })

  it('counts callers and keys by their own faults', async () => {
    const own = await summary(emil, '/api/data/self/summary')
    expect(own.calls.week).toMatchObject({ ok: 0, faults: { balance: 5, upstream: 0 } })
    // Attempts belong to channels, of which a user knows nothing.
    expect(Object.keys(own)).not.toContain('attempts')
    expect(Object.keys(own)).not.toContain('rescued')
    expect(own.failing_models).toEqual([])
    const hour = (kind: string, id: number) => `step = 3600 and kind = '${kind}' and id = ${id}`
    expect(counted('outcome', hour('user-calls', emil.userId))).toEqual({ balance: 5 })
    expect(counted('outcome', hour('token-calls', keys.emil.id))).toEqual({ balance: 5 })
    const ofRoot = { ok: 12, broken: 6, upstream: 1, caller: 2, no_channel: 6 }
    expect(counted('outcome', hour('token-calls', keys.root.id))).toEqual(ofRoot)
    expect(counted('outcome', hour('token-calls', keys.spent.id))).toEqual({ balance: 3 })
    expect(counted('outcome', hour('user-calls', root.userId))).toEqual({ ...ofRoot, balance: 3 })
    expect(counted('outcome', hour('calls', 0))).toEqual({ ...ofRoot, balance: 8 })
    expect(counted('outcome', `step = 60`)).toEqual({ ok: 12, upstream: 11, caller: 2 })
  })

  it('leads from every figure to exactly the calls that it counts, whoever reads it', async () => {
    const users = [
      { id: root.userId, name: 'root' },
      { id: emil.userId, name: 'emil' },
    ]
    const ofRoot = { person: root, isAdministrator: true, users, keys: [keys.root.id, keys.spent.id] }
    const ofAda = { person: ada, isAdministrator: true, users: users.slice(1), keys: [] }
    const ofEmil = { person: emil, isAdministrator: false, users: [], keys: [keys.emil.id] }
    const ofLog = { person: await administratorOfLog(), isAdministrator: true, users: [], keys: [] }
    const ofLogAlone = { ...ofLog, without: ['margin', 'spend'] as const }
    await root.api('POST', `/api/user/${emil.userId}/view`)
    const ofViewer = { ...ofEmil, person: seenAs(root, emil.userId) }
    for (const reader of [ofRoot, ofAda, ofLogAlone, ofEmil, ofViewer]) {
      const walked = await walkFigures(reader)
      expect(walked.filter(({ value, listed }) => value !== listed)).toEqual([])
      if (reader !== ofRoot) continue
      // Each figure has something to count here.
      const counting = new Set(walked.filter(({ value }) => value > 0).map(({ name }) => name))
      expect(Object.keys(linkedFigures).filter((name) => !counting.has(name))).toEqual([])
    }
  })

  it('leads from the counts of groups to lists of as many, for root and other administrators', async () => {
    await root.api('POST', '/api/user/', { username: 'gone', password: userPassword, group: 'vip' })
    for (const reader of [root, ada]) {
      const walked = await walkGroupCounts(reader)
      expect(walked.filter(({ value }) => value > 0).length).toBeGreaterThan(2)
      expect(walked.filter(({ value, listed }) => value !== listed)).toEqual([])
    }
  })

  it('keeps a failed test with its status, and forgets it with one that passes', async () => {
    const { id } = await channel('first')
    expect((await root.call('GET', `/api/channel/test/${id}`)).success).toBe(false)
    expect((await channel('first')).test_failure).toMatchObject({ params: { status: 500, model: 'pair' } })
    const { id: aliveId } = await channel('alive')
    expect((await root.call('GET', `/api/channel/test/${aliveId}`)).success).toBe(true)
    expect((await channel('alive')).test_failure).toBeNull()
  })

  it('is the same after a restart', async () => {
    const before = await figures('cuts')
    await call('root', 'gpt-4o', 1)
    await gateway.restart()
    expect(await figures('cuts')).toEqual(before)
    expect((await figures('alive')).ok).toBe(11)
    expect((await channel('first')).health.condition).toBe('failing')
  })
})
