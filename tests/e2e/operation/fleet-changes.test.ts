import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { freePort } from '../../support/network/free-port.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { hang, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

/** Nodes hear of a change at once; on a busy machine every step on the way waits for the processor. */
const crossingMs = 10_000
const completionRatio = 4
const secret = 'the secret of every node of this fleet'

interface NodeRow {
  readonly id: string
  readonly address: string
  readonly state: string
  readonly jobs: readonly string[]
  readonly journal_seq: number
  readonly journal_lag: number
}

describe.skipIf(!hasPostgres())('three nodes on one PostgreSQL', () => {
  let postgres: Postgres
  let databaseUrl: string
  let upstream: Upstream
  let nodes: readonly [Tollgate, Tollgate, Tollgate]
  let operator: Operator

  const env = () => ({
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: secret,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT: '1000',
  })
  const startNode = (more: Readonly<Record<string, string>> = {}) =>
    startTollgate({ env: { ...env(), ...more } })

  beforeAll(async () => {
    postgres = await startPostgres()
    databaseUrl = await postgres.createDatabase()
    upstream = await startUpstream()
    upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
    const first = await startNode()
    nodes = [first, ...(await Promise.all([startNode(), startNode()]))]
    operator = await operate(first.url)
    await operator.addChannel({ name: 'only', base_url: upstream.url, models: 'gpt-4o' })
  })
  afterAll(async () => {
    for (const node of nodes ?? []) await node.stop()
    await upstream?.stop()
    await postgres?.stop()
  })

  async function call({ url }: Tollgate, key: string, model = 'gpt-4o') {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    const body = (await response.json()) as { error?: { code?: string; message?: string } }
    return { status: response.status, code: body.error?.code, message: body.error?.message ?? '' }
  }

  const eventually = (node: Tollgate, key: string, status: number, model?: string) =>
    until(async () => ((await call(node, key, model)).status === status ? true : undefined), crossingMs)

  /** A key that every node has in memory. */
  async function knownKey(fields: Record<string, unknown> = {}) {
    const token = await operator.addKey({ name: 'known', ...fields })
    for (const node of nodes) await eventually(node, token.key, 200)
    return token
  }

  const listNodes = () => operator.api<NodeRow[]>('GET', '/api/nodes')

  it('serve a key at once that another raised by its quota or its time alone', async () => {
    const [first, second, third] = nodes
    const usedUp = () => ({ unlimited_quota: false, remain_quota: 0 })
    const expired = () => ({ expired_time: Math.floor(Date.now() / 1000) + 2 })
    const raised = [
      [usedUp, { remain_quota: 1_000_000 }],
      [expired, { expired_time: -1 }],
    ] as const
    for (const [end, raise] of raised) {
      const { id, key } = await knownKey()
      await operator.at(first.url).api('PUT', '/api/token/', { id, ...end() })
      for (const node of nodes) await eventually(node, key, 401)
      await operator.at(second.url).api('PUT', '/api/token/', { id, ...raise })
      for (const node of [third, first, second]) await eventually(node, key, 200)
    }
  })

  it('refuse a key within two seconds after it was disabled on another', async () => {
    const { id, key } = await knownKey()
    await operator.api('PUT', '/api/token/?status_only=true', { id, status: 2 })
    for (const node of nodes) await eventually(node, key, 401)
  })

  it('serve both texts of a key that another rotated, and the former one nowhere once it was ended', async () => {
    const [first, second] = nodes
    const { id, key } = await knownKey()
    const { key: text } = await operator
      .at(first.url)
      .api<{ key: string }>('POST', `/api/token/${id}/rotate`, { overlap_seconds: 3600 })
    for (const node of nodes) await eventually(node, `sk-${text}`, 200)
    for (const node of nodes) expect((await call(node, key)).status).toBe(200)
    expect(await operator.at(second.url).api('DELETE', `/api/token/${id}/former_keys`)).toBe(1)
    for (const node of nodes) await eventually(node, key, 401)
    expect((await call(first, `sk-${text}`)).status).toBe(200)
  })

  it('do so when their connections to the database were cut meanwhile', async () => {
    const { id, key } = await knownKey()
    await postgres.terminateBackends()
    await until(async () =>
      (await operator.call('PUT', '/api/token/?status_only=true', { id, status: 2 })).success
        ? true
        : undefined,
    )
    for (const node of nodes) await eventually(node, key, 401)
  })

  it('share sessions, from their begin to their end', async () => {
    const session = await operate(nodes[0].url)
    const self = ({ url }: Tollgate) =>
      fetch(`${url}/api/user/self`, {
        headers: { cookie: session.cookie, 'New-Api-User': String(session.userId) },
      }).then((response) => response.status)
    for (const node of nodes) expect(await self(node)).toBe(200)
    await session.api('GET', '/api/user/logout')
    for (const node of nodes)
      await until(async () => ((await self(node)) === 401 ? true : undefined), crossingMs)
  })

  it('share the view of a user, which shows that user alone and ends everywhere', async () => {
    const person = await addUser(nodes[0], 'seen', 0)
    const admin = await operate(nodes[0].url)
    const asPerson = ({ url }: Tollgate, method = 'GET', path = '/api/user/self') =>
      fetch(url + path, {
        method,
        headers: { cookie: admin.cookie, 'New-Api-User': String(person.userId) },
        ...(method !== 'GET' && { body: JSON.stringify({ name: 'not hers' }) }),
      })
    for (const node of nodes) expect((await asPerson(node)).status).toBe(401)
    await admin.at(nodes[1].url).api('POST', `/api/user/${person.userId}/view`)
    for (const node of nodes) {
      expect(await (await asPerson(node)).json()).toMatchObject({ data: { username: 'seen' } })
      expect(await (await asPerson(node, 'POST', '/api/token/')).json()).toMatchObject({ success: false })
    }
    await admin.at(nodes[2].url).api('POST', `/api/user/${person.userId}/view/end`)
    for (const node of nodes)
      await until(async () => ((await asPerson(node)).status === 401 ? true : undefined), crossingMs)
  })

  it('show one incident of a cause that each of them sees, and on all of them its acceptance on one', async () => {
    const { key } = await knownKey()
    const { id } = await operator.addChannel({
      name: 'dies',
      base_url: 'http://127.0.0.1:1',
      models: 'model-that-dies',
    })
    await operator.option('ModelPrice', JSON.stringify({ 'model-that-dies': 0.01 }))
    for (const node of nodes)
      for (let calls = 0; calls < 4; calls++) await eventually(node, key, 502, 'model-that-dies')
    const list = ({ url }: Tollgate) =>
      operator
        .at(url)
        .api<{ items: { id: number; state: string; members: { first: { id: number }[] } }[] }>(
          'GET',
          '/api/incident/?p=1&page_size=100',
        )
        .then(({ items }) => items.filter(({ members }) => members.first.some((member) => member.id === id)))
    const [found] = await until(async () => {
      const items = await list(nodes[0])
      return items.length > 0 ? items : undefined
    }, 3 * crossingMs)
    await operator.at(nodes[1].url).api('POST', `/api/incident/${found?.id}/accept`, {})
    for (const node of nodes) expect(await list(node)).toMatchObject([{ id: found?.id, state: 'quiet' }])
    await operator.api('DELETE', `/api/channel/${id}`)
  })

  it('show the published incidents of one another, in the page and in its feed', async () => {
    const [first, second, third] = nodes
    await operator.option('StatusPageEnabled', 'true')
    const page = ({ url }: Tollgate) =>
      fetch(`${url}/api/status_page`)
        .then((response) => response.json() as Promise<{ data?: { incidents: { state: string }[] } }>)
        .then(({ data }) => data?.incidents.map(({ state }) => state).join())
    const feed = ({ url }: Tollgate) =>
      fetch(`${url}/api/status_page/feed`).then((response) => response.text())
    for (const node of nodes)
      await until(async () => ((await page(node)) === '' ? true : undefined), crossingMs)
    const at = '/api/status_page/incident'
    const { id } = await operator
      .at(first.url)
      .api<{ id: number }>('POST', at, { title: 'Calls fail', text: 'We are looking.' })
    // A node holds what it read for ten seconds.
    for (const node of nodes)
      await until(async () => ((await page(node)) === 'investigating' ? true : undefined), 3 * crossingMs)
    await operator.at(second.url).api('POST', `${at}/${id}/update`, { state: 'resolved', text: 'It works.' })
    expect(await page(second)).toBe('resolved')
    await until(async () => ((await feed(third)).includes('It works.') ? true : undefined), 3 * crossingMs)
  })

  it('take up options and channels of one another', async () => {
    const { key } = await knownKey()
    const other = nodes[1]
    await operator.option('SystemName', 'Changed on A')
    await until(async () => {
      const { data } = (await (await fetch(`${other.url}/api/status`)).json()) as {
        data: { system_name: string }
      }
      return data.system_name === 'Changed on A' ? true : undefined
    }, crossingMs)

    const { id } = await operator.addChannel({ name: 'more', base_url: upstream.url, models: 'gpt-4.1' })
    await eventually(other, key, 200, 'gpt-4.1')
    await operator.api('PUT', '/api/channel/', { id, status: 2 })
    await eventually(other, key, 503, 'gpt-4.1')
  })

  it('charge a price that was changed on another', async () => {
    const { key } = await knownKey()
    await operator.option('ModelRatio', JSON.stringify({ 'gpt-4o': 7, 'gpt-4.1-mini': 1 }))
    for (const node of nodes.slice(1))
      await until(async () => {
        const charged = await operator.consumed()
        expect((await call(node, key)).status).toBe(200)
        return (await operator.consumption(charged + 1)).quota === (20 + 10 * completionRatio) * 7
          ? true
          : undefined
      }, crossingMs)
  })

  it('send the new key of a channel that was changed on another', async () => {
    const { id } = await operator.addChannel({
      name: 'rotated',
      base_url: upstream.url,
      models: 'gpt-4.1-mini',
    })
    const { key } = await knownKey()
    for (const node of nodes) await eventually(node, key, 200, 'gpt-4.1-mini')
    await operator.api('PUT', '/api/channel/', { id, key: 'sk-rotated-key-0002' })
    for (const node of nodes)
      await until(async () => {
        expect((await call(node, key, 'gpt-4.1-mini')).status).toBe(200)
        return upstream.calls.at(-1)?.headers.authorization === 'Bearer sk-rotated-key-0002'
          ? true
          : undefined
      }, crossingMs)
  })

  it('serve a person by the group that another gave, and not at all once another has banned them', async () => {
    const person = await addUser(nodes[0], 'ann', 10_000_000)
    const { key } = await person.addKey()
    const self = ({ url }: Tollgate) =>
      fetch(`${url}/api/user/self`, {
        headers: { cookie: person.cookie, 'New-Api-User': String(person.userId) },
      }).then((response) => response.status)
    for (const node of nodes) await eventually(node, key, 200)
    await operator.api('PUT', '/api/user/', { id: person.userId, group: 'vip' })
    for (const node of nodes) await eventually(node, key, 503)
    await operator.api('POST', '/api/user/manage', { id: person.userId, action: 'disable' })
    for (const node of nodes) {
      await eventually(node, key, 403)
      await until(async () => ((await self(node)) === 401 ? true : undefined), crossingMs)
    }
  })

  it('run one test of all channels at a time, which each of them shows and ends', async () => {
    const { key } = await knownKey()
    const { id } = await operator.addChannel({
      name: 'hangs',
      base_url: upstream.url,
      models: 'gpt-4.1-nano',
    })
    await operator.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, 'gpt-4.1-mini': 1, 'gpt-4.1-nano': 1 }))
    // Any of the three may get the run, which would end at once where the channel is not known yet.
    for (const node of nodes) await eventually(node, key, 200, 'gpt-4.1-nano')
    upstream.on('gpt-4.1-nano', hang())
    const [a, b, c] = nodes.map(({ url }) => operator.at(url)) as [Operator, Operator, Operator]
    const progress = (at: Operator) =>
      at.api<{ running: boolean; cancelled: boolean; done: number }>('GET', '/api/channel/test/progress')
    const start = (at: Operator) => at.call('GET', '/api/channel/test')
    const starts = await Promise.all([a, b, c].map(start))
    expect(starts.map(({ success, code }) => (success ? '' : code)).toSorted()).toEqual([
      '',
      'channel_test_running',
      'channel_test_running',
    ])
    for (const at of [a, b, c])
      await until(async () => {
        const { running, done } = await progress(at)
        return running && done > 0 ? true : undefined
      }, crossingMs)
    const runner = [a, b, c][starts.findIndex(({ success }) => success)]
    const other = runner === a ? b : a
    expect((await start(other)).success).toBe(false)
    expect(await other.api('DELETE', '/api/channel/test')).toMatchObject({ running: false, cancelled: true })
    for (const at of [a, b, c])
      await until(async () => ((await progress(at)).cancelled ? true : undefined), crossingMs)
    await other.api('DELETE', `/api/channel/${id}`)
    await until(async () => ((await start(other)).success ? true : undefined), crossingMs)
    for (const at of [a, b, c])
      await until(async () => {
        const { running, cancelled } = await progress(at)
        return running || cancelled ? undefined : true
      })
  })

  interface DrainedChannel {
    readonly status: number
    readonly drain: { readonly open_calls: number; readonly stays: boolean } | null
    readonly schedule: object | null
  }

  /** A channel that comes before another one of its model, where a stream ends when the test says so. */
  async function drainedChannel() {
    const [model, key] = ['drained', 'sk-drained-key-0001']
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    upstream.on(model, async (exchange) => {
      if (exchange.call.isStream) await ended
      await respond({ text: 'to its end' })(exchange)
    })
    await operator.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1, [model]: 1 }))
    const fields = { base_url: upstream.url, models: model }
    await operator.addChannel({ name: 'takes over', ...fields })
    const { id } = await operator.addChannel({ name: model, key, priority: 9, ...fields })
    const caller = await knownKey()
    const isAtChannel = async (node: Tollgate) => {
      if ((await call(node, caller.key, model)).status !== 200) return undefined
      return upstream.calls.at(-1)?.headers.authorization === `Bearer ${key}`
    }
    const path = `/api/channel/${id}`
    const at = ({ url }: Tollgate) => operator.at(url)
    const read = (node: Tollgate) => at(node).api<DrainedChannel>('GET', path)
    const acts = () =>
      operator.api<{ items: { id: number; action: string; actor_name: string }[] }>(
        'GET',
        `/api/audit_log/?target_kind=channel&target_id=${id}&page_size=50`,
      )
    const drains = async () => (await acts()).items.filter(({ action }) => action === 'channel.drain')
    return {
      end,
      acts,
      drains,
      read,
      /** Waits until all nodes send new calls there, or to the other channel. */
      allLead: async (there: boolean) => {
        for (const node of nodes)
          await until(async () => ((await isAtChannel(node)) === there ? true : undefined), crossingMs)
      },
      enable: (node: Tollgate) => at(node).api('PUT', '/api/channel/', { id, status: 1 }),
      change: (node: Tollgate, method: string, more: string, body: object) =>
        at(node).call(method, path + more, body),
      /** Waits until a node sends new calls there, or to the other channel. */
      leads: (node: Tollgate, there: boolean) =>
        until(async () => ((await isAtChannel(node)) === there ? true : undefined), crossingMs),
      /** Opens a stream there by a node, and returns the promise of what its caller gets. */
      async openStream({ url }: Tollgate) {
        const open = upstream.open().length
        const stream = fetch(`${url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${caller.key}` },
          body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
        }).then((response) => response.text())
        await until(() => (upstream.open().length > open ? true : undefined), crossingMs)
        return { stream }
      },
      counts: (node: Tollgate, calls: number) =>
        until(async () => ((await read(node)).drain?.open_calls === calls ? true : undefined), crossingMs),
      ends: (node: Tollgate) =>
        until(async () => ((await read(node)).drain === null ? true : undefined), 3 * crossingMs),
    }
  }

  it('drain a channel on which another has a stream, until that ends, and not after an undo', async () => {
    const [first, second, third] = nodes
    const channel = await drainedChannel()
    await channel.leads(third, true)
    const { stream } = await channel.openStream(third)
    // Two administrators at once, on two nodes.
    const both = [first, second].map((node, index) =>
      channel.change(node, 'POST', '/drain', { stays: index === 0 }),
    )
    expect((await Promise.all(both)).map(({ success }) => success)).toEqual([true, true])
    for (const node of nodes) await channel.counts(node, 1)
    await channel.allLead(false)
    const [later, ...earlier] = await channel.drains()
    expect(earlier).toHaveLength(1)
    // The later act is taken back: the channel drains as the earlier one has it.
    await operator.at(second.url).api('POST', `/api/audit_log/${later?.id}/revert`)
    for (const node of nodes) await channel.counts(node, 1)
    await channel.enable(third)
    await channel.allLead(true)
    await channel.change(third, 'POST', '/drain', {})
    await channel.allLead(false)
    const [begun] = await channel.drains()
    await operator.at(second.url).api('POST', `/api/audit_log/${begun?.id}/revert`)
    await channel.allLead(true)
    expect(await channel.read(first)).toMatchObject({ status: 1, drain: null })
    // Its schedule finds it draining already.
    const offAt = Math.floor(Date.now() / 1000) + 3
    await channel.change(first, 'PUT', '/schedule', { off_at: offAt, on_at: 0 })
    await channel.change(second, 'POST', '/drain', {})
    await until(
      async () => ((await channel.read(first)).schedule === null ? true : undefined),
      3 * crossingMs,
    )
    for (const node of nodes) await channel.counts(node, 1)
    channel.end()
    expect(await stream).toContain('[DONE]')
    for (const node of nodes) await channel.ends(node)
    expect((await channel.read(third)).status).toBe(2)
    const names = (await channel.acts()).items.map(({ action, actor_name }) => `${action} ${actor_name}`)
    expect(names.filter((name) => name !== 'channel.schedule root').slice(0, 3)).toEqual([
      'channel.end-drain tollgate',
      'channel.drain root',
      'channel.enable root',
    ])
  })

  it('run the jobs of the fleet on one node, and on another when that one is killed, which ends a drain that waited for it', async () => {
    const holders = (rows: readonly NodeRow[]) => rows.filter(({ jobs }) => jobs.includes('delete-expired'))
    const before = await listNodes()
    expect(before.map(({ state }) => state)).toEqual(['live', 'live', 'live'])
    const [holder] = holders(before)
    expect(holders(before)).toHaveLength(1)
    const victim = nodes.find(({ url }) => holder?.address.endsWith(new URL(url).port))
    if (victim === undefined || holder === undefined) throw new Error('no node has the job')
    const alive = nodes.find((node) => node !== victim) ?? nodes[1]
    const channel = await drainedChannel()
    await channel.leads(victim, true)
    const { stream } = await channel.openStream(victim)
    const outcome = stream.then(
      () => 'ended',
      () => 'cut',
    )
    await channel.change(alive, 'POST', '/drain', {})
    await channel.counts(alive, 1)

    await victim.kill('SIGKILL')
    expect(await outcome).toBe('cut')
    operator = await operate(alive.url)
    const after = await until(async () => {
      const rows = await listNodes()
      const gone = rows.find(({ id }) => id === holder.id)
      const [next] = holders(rows)
      return gone?.state === 'gone' && next !== undefined && next.id !== holder.id ? rows : undefined
    }, 12_000)
    expect(after.find(({ id }) => id === holder.id)?.journal_seq).toBeGreaterThanOrEqual(0)
    await channel.ends(alive)
    expect((await channel.read(alive)).status).toBe(2)

    await victim.start()
    await until(async () => ((await listNodes()).every(({ state }) => state === 'live') ? true : undefined))
  })

  it('leave the list when they are stopped in good order', async () => {
    const stopped = await startNode()
    await until(async () => ((await listNodes()).length === 4 ? true : undefined))
    await stopped.stop()
    expect(await listNodes()).toHaveLength(3)
  })

  /**
   * A key that a node has in memory and forgets no more. It may have read the row before it heard that the row is there, and drops it then: with
   * the database gone, it would refuse the next call. Changes are heard in their order, so that the end of a later key comes behind.
   */
  async function settledKey(node: Tollgate) {
    const { key } = await knownKey()
    const later = await knownKey()
    await operator.api('PUT', '/api/token/?status_only=true', { id: later.id, status: 2 })
    await eventually(node, later.key, 401)
    await eventually(node, key, 200)
    return key
  }

  it('take no calls once they have not heard of changes for ten seconds, and again when they have', async () => {
    const node = nodes[2]
    const key = await settledKey(node)
    const readiness = async () => {
      const response = await fetch(`${node.url}/readyz`)
      return { status: response.status, ...((await response.json()) as { hearing: boolean }) }
    }
    expect(await readiness()).toMatchObject({ status: 200, hearing: true })
    await postgres.kill()
    expect(await call(node, key)).toMatchObject({ status: 200, message: '' })
    await until(async () => ((await readiness()).hearing ? undefined : true), 12_000)
    expect(await call(node, key)).toMatchObject({
      status: 503,
      code: 'not_admitting',
      message: expect.stringContaining('does not hear of changes'),
    })
    await postgres.start()
    await until(async () => ((await readiness()).status === 200 ? true : undefined), 10_000)
    expect((await call(node, key)).status).toBe(200)
  })

  describe('a node that may not join', () => {
    let folder: string

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'tollgate-unfit-'))
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    async function refusal(more: Readonly<Record<string, string>>): Promise<string> {
      const position = { PORT: String(await freePort()), LOG_LEVEL: 'warn', DATA_DIR: join(folder, 'data') }
      const { code, output } = await runTollgate([], { ...env(), ...position, ...more })
      expect(code).toBe(1)
      expect(output.trim().split('\n')).toHaveLength(1)
      return output
    }

    it('is refused with a sentence that names the secret of the others', async () => {
      expect(await refusal({ TOLLGATE_SECRET: 'a secret that no other node knows at all' })).toContain(
        'set TOLLGATE_SECRET to the one of the other nodes',
      )
    })

    it('names another process that runs its journal', async () => {
      cpSync(nodes[0].dataDir, join(folder, 'copy'), { recursive: true })
      rmSync(join(folder, 'copy', 'journal', 'lock'), { force: true })
      expect(await refusal({ DATA_DIR: join(folder, 'copy') })).toContain(
        'give each node a DATA_DIR of its own',
      )
    })

    it('refuses a schema that needs a newer program', async () => {
      await using sql = new SQL(databaseUrl, { max: 1 })
      await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030-01-01T00:00:00Z')`
      await sql`update database_identity set oldest_program = '9999-later'`
      expect(await refusal({})).toContain('another version of Tollgate (it has migration 9999-later)')
    })
  })
})
