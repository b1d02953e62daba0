import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { loadCalls, loadSessions } from '../../support/load.ts'
import { hasNginx, type Nginx, startNginx } from '../../support/network/nginx.ts'
import { buildNextVersion, type NextVersion } from '../../support/next-version.ts'
import { type Operator, operate, rootAccount } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { type RealtimeUpstream, startRealtimeUpstream } from '../../support/upstream/realtime.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

interface NodeRow {
  readonly address: string
  readonly state: string
  readonly version: string
  readonly jobs: readonly string[]
}

/**
 * The settings of deploy/nginx.conf in front of three nodes. Every node drains for as long as a node of a fleet does without a
 * setting.
 */
describe.skipIf(!hasPostgres() || !hasNginx())('three nodes behind nginx', () => {
  let postgres: Postgres
  let upstream: Upstream
  let realtime: RealtimeUpstream
  let nodes: readonly [Tollgate, Tollgate, Tollgate]
  let nginx: Nginx
  let operator: Operator
  let next: NextVersion
  let key: string
  let env: Readonly<Record<string, string>>

  beforeAll(async () => {
    postgres = await startPostgres()
    env = {
      DATABASE_URL: await postgres.createDatabase(),
      TOLLGATE_SECRET: 'the secret of every node of this fleet',
      TOLLGATE_ROOT_PASSWORD: rootAccount.password,
      TRUSTED_PROXIES: '127.0.0.1',
      // As without the variable.
      DRAIN_SECONDS: '',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    }
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'word '.repeat(30).trim(), delayMs: 50, eventDelayMs: 40 }))
    realtime = await startRealtimeUpstream({
      async reply(event, send) {
        if (event.type !== 'response.create') return
        send({ type: 'response.created', response: {} })
        for (let word = 0; word < 10; word += 1) {
          await Bun.sleep(60)
          send({ type: 'response.output_text.delta', delta: 'word' })
        }
        send({ type: 'response.done', response: { usage: { input_tokens: 10, output_tokens: 10 } } })
      },
    })
    const first = await startTollgate({ env })
    nodes = [first, await startTollgate({ env }), await startTollgate({ env })]
    nginx = await startNginx(nodes)
    operator = await operate(nginx.url)
    await operator.addChannel({ name: 'chat', base_url: upstream.url, models: 'gpt-4o' })
    await operator.addChannel({ name: 'voice', base_url: realtime.url, models: 'gpt-realtime' })
    key = (await operator.addKey()).key
    next = await buildNextVersion()
  })
  afterAll(async () => {
    await nginx?.stop()
    for (const node of nodes ?? []) await node.kill('SIGKILL')
    for (const node of nodes ?? []) await node.stop()
    await upstream?.stop()
    await realtime?.stop()
    await postgres?.stop()
    next?.remove()
  })

  /** The node as one of the others sees it. */
  async function rowOf({ url }: Tollgate): Promise<NodeRow | undefined> {
    const rows = await operator.api<NodeRow[]>('GET', '/api/nodes')
    return rows.find(({ address }) => address.endsWith(`:${new URL(url).port}`))
  }

  /** Stops a node as a supervisor does, and starts it again. */
  async function restart(node: Tollgate, program?: string): Promise<void> {
    expect(await node.kill('SIGTERM')).toBe(0)
    await node.start(program)
    await until(async () => (await fetch(`${node.url}/readyz`)).ok || undefined)
  }

  /** Under a load of calls, streams and a session through nginx: none fails, and each is charged once. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    const before = { calls: await chargedTimes('gpt-4o'), sessions: await chargedTimes('gpt-realtime') }
    const calls = loadCalls(nginx.url, key)
    const sessions = loadSessions(nginx.url, key, 'gpt-realtime')
    await work().finally(() => Promise.all([calls.end(), sessions.end()]))
    expect([...calls.failures, ...sessions.failures]).toEqual([])
    expect(Math.min(calls.served.length, sessions.served.length)).toBeGreaterThan(20)

    const total = before.calls.size + calls.served.length
    const charged = await until(async () => {
      const times = await chargedTimes('gpt-4o')
      return times.size >= total ? times : undefined
    })
    expect(charged.size).toBe(total)
    expect(calls.served.filter((id) => charged.get(id) !== 1)).toEqual([])
    await until(async () => {
      const { size } = await chargedTimes('gpt-realtime')
      return size === before.sessions.size + sessions.sessions ? size : undefined
    })
    expect((await nodes[0].run('audit')).output).toContain('adds up')
  }

  /** Counts the rows of each request id of a model in the log. */
  async function chargedTimes(model: string): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    for (let page = 1; ; page += 1) {
      const { items } = await operator.api<{ items: { request_id: string }[] }>(
        'GET',
        `/api/log/?p=${page}&page_size=100&type=2&model_name=${model}`,
      )
      for (const { request_id } of items) times.set(request_id, (times.get(request_id) ?? 0) + 1)
      if (items.length < 100) return times
    }
  }

  it('lose no call when one after the other is restarted under load', async () => {
    const [first, second, third] = nodes
    await underLoad(async () => {
      const stopped = first.kill('SIGTERM')
      const ready = await until(async () => {
        const response = await fetch(`${first.url}/readyz`)
        return response.status === 503 ? response : undefined
      })
      expect(await ready.json()).toMatchObject({ ready: false, admitting: true, stopping: true })
      // Calls that nginx still sends are served; their connections end with them.
      const status = await fetch(`${first.url}/api/status`)
      expect([status.status, status.headers.get('connection')]).toEqual([200, 'close'])
      // Its jobs have moved while it still serves.
      await until(async () => {
        const row = await rowOf(first)
        return row?.state === 'draining' && row.jobs.length === 0 ? row : undefined
      })
      expect((await fetch(`${first.url}/api/status`)).ok).toBe(true)
      expect(await stopped).toBe(0)
      await first.start()
      await restart(second)
      await restart(third)
    })
  })

  it('lose no call when they are upgraded one after the other, to a version with a migration', async () => {
    const [first, second, third] = nodes
    const { version: present } = (await rowOf(first)) ?? {}
    await underLoad(async () => {
      expect(await first.kill('SIGTERM')).toBe(0)
      // A dump or a report reads what the migration changes: it gives way to that, and the nodes that serve to neither.
      await using reader = new SQL(env['DATABASE_URL'] ?? '', { max: 1 })
      const reading = reader.begin(async (transaction) => {
        await transaction`select count(*) from tokens`
        await Bun.sleep(3000)
      })
      await first.start(next.program)
      await reading
      expect((await rowOf(first))?.version).toBe(next.version)
      expect((await rowOf(second))?.version).toBe(present ?? '')
      // A node of the present version starts beside it, on the schema of the next.
      const late = await startTollgate({ env })
      await late.kill('SIGKILL')
      await late.stop()
      await restart(second, next.program)
      await restart(third, next.program)
    })
  })
})
