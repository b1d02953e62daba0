import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { chargedCalls } from '../../support/fleet.ts'
import { loadCalls } from '../../support/load.ts'
import { freePort } from '../../support/network/free-port.ts'
import { openSocket } from '../../support/network/open-socket.ts'
import { type Operator, operate, rootAccount } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { runTollgate, startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const count = 2

/** The processes that a process has started, the first one first. */
function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').map(Number)
}

/** The variables that a process was started with. */
function environmentOf(pid: number): Readonly<Record<string, string>> {
  const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
}

/** A value of a scrape; 0 for one that is not there. */
function valueIn(scrape: string, series: string): number {
  const line = scrape.split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.slice(series.length + 1) ?? 0)
}

describe.skipIf(!hasPostgres())('the workers of one machine', () => {
  let postgres: Postgres
  let upstream: Upstream
  let machine: Tollgate
  let operator: Operator
  let key: string
  let metricsPort: number
  let environment: Readonly<Record<string, string>>

  beforeAll(async () => {
    postgres = await startPostgres()
    metricsPort = await freePort()
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'word '.repeat(10).trim(), delayMs: 20, eventDelayMs: 20 }))
    environment = {
      DATABASE_URL: await postgres.createDatabase(),
      TOLLGATE_ROOT_PASSWORD: rootAccount.password,
      WORKERS: String(count),
      DRAIN_SECONDS: '1',
      METRICS_LISTEN: `127.0.0.1:${metricsPort}`,
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    }
    machine = await startTollgate({ env: environment })
    operator = await operate(machine.url)
    await operator.addChannel({ name: 'chat', base_url: upstream.url, models: 'gpt-4o' })
    key = (await operator.addKey()).key
    await allOpen()
  })
  afterAll(async () => {
    await machine?.stop()
    await upstream?.stop()
    await postgres?.stop()
  })

  /** Each on a connection of its own, which any worker may have accepted. */
  async function scrape(): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { keepalive: false })
    return await response.text()
  }

  async function allOpen(): Promise<void> {
    await until(async () => (valueIn(await scrape(), 'tollgate_workers_open') === count ? true : undefined))
  }

  function call(body: object = {}, as = key, url = machine.url): Promise<Response> {
    return fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      keepalive: false,
      headers: { authorization: `Bearer ${as}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body }),
    })
  }

  async function expectEachChargedOnce(requests: readonly string[]): Promise<void> {
    const charged = await until(async () => {
      const rows = await chargedCalls(operator)
      return requests.every((id) => rows.has(id)) ? rows : undefined
    })
    expect([...charged.values()].filter(({ length }) => length !== 1)).toEqual([])
  }

  it('serve one port, each a node with a folder and log lines of its own', async () => {
    const replies = await Promise.all(Array.from({ length: 40 }, () => call()))
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200))
    await Promise.all(replies.map((reply) => reply.text()))
    for (const number of [1, 2])
      expect(existsSync(join(machine.dataDir, 'workers', String(number), 'journal', 'node'))).toBe(true)
    expect(existsSync(join(machine.dataDir, 'journal'))).toBe(false)
    const nodes = await until(async () => {
      const rows = await operator.api<{ address: string; state: string }[]>('GET', '/api/nodes')
      return rows.length === count ? rows : undefined
    })
    const port = new URL(machine.url).port
    expect(nodes.map(({ address }) => address.replace(/^.*?:/, '')).toSorted()).toEqual([
      `${port} worker 1`,
      `${port} worker 2`,
    ])
    // Whatever takes the data folder for itself is refused meanwhile: another machine, a process by itself, a command.
    for (const [args, env] of [
      [['serve'], environment],
      [['serve'], { ...environment, WORKERS: '' }],
      [['move', '--to', join(machine.dataDir, 'file')], environment],
    ] as const) {
      const free = { DATA_DIR: machine.dataDir, PORT: '0', METRICS_LISTEN: '', LOG_LEVEL: 'silent' }
      const refused = await runTollgate(args, { ...env, ...free })
      expect([args[0], refused.code]).toEqual([args[0], 1])
      expect(refused.output.trim().split('\n')).toHaveLength(1)
    }
    expect(machine.logs()).toMatch(/"workers":2.*the workers of this machine serve/)
  })

  it('show one machine to a scrape, whichever of them it reaches', async () => {
    const calls = 'tollgate_calls_total{model="gpt-4o",outcome="ok"}'
    const scrapes = await Promise.all(Array.from({ length: 12 }, scrape))
    expect(new Set(scrapes.map((text) => valueIn(text, calls)))).toEqual(new Set([40]))
    expect(new Set(scrapes.map((text) => valueIn(text, 'tollgate_workers')))).toEqual(new Set([count]))
    const started = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const response = await fetch(`${machine.url}/api/status`, { keepalive: false })
        return ((await response.json()) as { data: { start_time: number } }).data.start_time
      }),
    )
    expect(new Set(started).size).toBe(1)
  })

  it('serve no more calls at once than a key may have, all together', async () => {
    const limited = await operator.addKey({ concurrency: 4 })
    const calling = Promise.all(Array.from({ length: 24 }, () => call({}, limited.key)))
    let upperBound = 0
    let isOver = false
    void calling.then(() => {
      isOver = true
    })
    while (!isOver) {
      upperBound = Math.max(upperBound, upstream.open().length)
      await Bun.sleep(1)
    }
    expect((await calling).filter(({ status }) => status === 429).length).toBeGreaterThan(0)
    expect(upperBound).toBeGreaterThan(0)
    expect(upperBound).toBeLessThanOrEqual(4)
  })

  it('lose no money, and no call of each other, when one of them is killed', async () => {
    const before = childrenOf(machine.pid)
    const load = loadCalls(machine.url, key)
    await until(async () => (load.served.length > 20 ? true : undefined))
    const [killed = 0, other = 0] = before
    process.kill(killed, 'SIGKILL')
    await until(async () => (childrenOf(machine.pid).length === count ? true : undefined))
    await allOpen()
    const served = load.served.length
    await until(async () => (load.served.length > served + 20 ? true : undefined))
    await load.end()
    // Calls that were on the killed one's connections, and no others.
    expect(load.failures.length).toBeLessThanOrEqual(12)
    expect(childrenOf(machine.pid)).toContain(other)
    expect(childrenOf(machine.pid)).not.toContain(killed)
    expect(machine.logs()).toMatch(/"worker":1,.*worker 1 ended \(SIGKILL\) and is started again/)
    await expectEachChargedOnce(load.served)
    const figures = await scrape()
    expect(valueIn(figures, 'tollgate_worker_ends_total')).toBe(1)
    expect((await machine.run('audit')).output).toContain('adds up')
  })

  it('are replaced by SIGHUP one after the other, and refuse nobody', async () => {
    const before = childrenOf(machine.pid)
    const totalBefore = valueIn(await scrape(), 'tollgate_calls_total{model="gpt-4o",outcome="ok"}')
    const load = loadCalls(machine.url, key)
    process.kill(machine.pid, 'SIGHUP')
    await until(async () => (machine.logs().includes('every worker was replaced') ? true : undefined))
    await load.end()
    expect(load.failures).toEqual([])
    expect(load.served.length).toBeGreaterThan(20)
    expect(childrenOf(machine.pid).filter((pid) => before.includes(pid))).toEqual([])
    // A sum that fell would be read as a restart of all.
    const total = valueIn(await scrape(), 'tollgate_calls_total{model="gpt-4o",outcome="ok"}')
    expect(total).toBe(totalBefore + load.served.length)
    await expectEachChargedOnce(load.served)
  })

  it('settle what one of them leaves that is killed while it is being replaced', async () => {
    const before = childrenOf(machine.pid)
    const [first = 0, second = 0] = before
    process.kill(machine.pid, 'SIGHUP')
    await until(() => (childrenOf(machine.pid).includes(first) ? undefined : true))
    upstream.otherwise(respond({ text: 'word '.repeat(20).trim(), eventDelayMs: 250 }))
    const streams = await Promise.all(Array.from({ length: 10 }, () => call({ stream: true })))
    await until(async () => {
      const nodes = await operator.api<{ state: string }[]>('GET', '/api/nodes')
      return nodes.some(({ state }) => state === 'draining') ? true : undefined
    })
    // The last one replaced: no worker has its folder next. What it charges now waits in its journal.
    const held = await holdFlushes(environment['DATABASE_URL'] ?? '')
    await Promise.all(streams.map((stream) => stream.text()))
    expect(childrenOf(machine.pid)).toContain(second)
    process.kill(second, 'SIGKILL')
    await held.release()
    await expectEachChargedOnce(streams.map(({ headers }) => headers.get('x-request-id') ?? ''))
    expect(machine.logs()).toMatch(/settled calls \(quota \d+\) of node \S+ are in the database now/)
    expect(childrenOf(machine.pid)).not.toContain(second)
    upstream.otherwise(respond({ text: 'word '.repeat(10).trim(), delayMs: 20, eventDelayMs: 20 }))
  })

  it('serve who waits in the queue of one whose folder is broken, and settle its journal once that is back', async () => {
    const [first = 0] = childrenOf(machine.pid)
    const { number } = JSON.parse(environmentOf(first)['TOLLGATE_WORKER'] ?? '{}') as { number: number }
    const folder = join(machine.dataDir, 'workers', String(number))
    const held = await holdFlushes(environment['DATABASE_URL'] ?? '')
    const charged = await Promise.all(Array.from({ length: 8 }, () => call()))
    expect(charged.map(({ status }) => status)).toEqual(Array(8).fill(200))
    renameSync(folder, `${folder}-away`)
    writeFileSync(folder, 'no folder')
    // Half of these connections come into its queue, from which it accepts none.
    process.kill(first, 'SIGSTOP')
    const waits = Promise.all(Array.from({ length: 30 }, () => call()))
    await Bun.sleep(300)
    process.kill(first, 'SIGKILL')
    await held.release()
    const waiting = await waits
    expect(waiting.map(({ status }) => status)).toEqual(Array(30).fill(200))
    await allOpen()
    expect(machine.logs()).toMatch(/and worker \d takes its queue with another folder/)
    rmSync(folder)
    renameSync(`${folder}-away`, folder)
    await expectEachChargedOnce(
      [...charged, ...waiting].map(({ headers }) => headers.get('x-request-id') ?? ''),
    )
  })

  it('end calls in flight before a stop, and leave books that add up', async () => {
    const streams = await Promise.all(Array.from({ length: 10 }, () => call({ stream: true })))
    const stopped = machine.kill('SIGTERM')
    const texts = await Promise.all(streams.map((stream) => stream.text()))
    expect(texts.filter((text) => !text.endsWith('data: [DONE]\n\n'))).toEqual([])
    expect(await stopped).toBe(0)
    const audit = await machine.run('audit')
    expect([audit.code, audit.output]).toEqual([0, expect.stringContaining('adds up')])
  })

  it('accept from a socket that a service manager keeps, and leave what they settled to whoever serves after them', async () => {
    const socket = openSocket()
    const several = await startTollgate({ env: environment, dataDir: machine.dataDir, socket })
    await until(() => (several.logs().includes('the workers of this machine serve') ? true : undefined))
    const workers = childrenOf(several.pid)
    expect(workers).toHaveLength(count)
    // A database that takes nothing: the last calls wait in the journals, and then everybody is gone.
    const held = await holdFlushes(environment['DATABASE_URL'] ?? '')
    const replies = await Promise.all(Array.from({ length: 6 }, () => call({}, key, several.url)))
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200))
    await several.kill('SIGKILL')
    await until(() => (workers.some((pid) => existsSync(`/proc/${pid}/stat`)) ? undefined : true))
    await held.release()
    socket.close()
    expect((await several.run('audit')).output).toMatch(/\b6 settled calls \(quota \d+\) wait in the journal/)
    const single = await startTollgate({ env: { ...environment, WORKERS: '' }, dataDir: machine.dataDir })
    try {
      process.kill(single.pid, 'SIGHUP')
      await until(() => (single.logs().includes('SIGHUP replaces workers') ? true : undefined))
      operator = await operate(single.url)
      await expectEachChargedOnce(replies.map(({ headers }) => headers.get('x-request-id') ?? ''))
      await single.kill('SIGTERM')
      expect((await single.run('audit')).output).not.toContain('wait in the journal')
    } finally {
      await single.stop()
    }
  })
})

/** Keeps a database from taking settled calls: a transaction holds what every flush writes. */
async function holdFlushes(url: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const sql = new SQL(url, { max: 1 })
  const holding = sql.begin(async (transaction) => {
    await transaction`lock table journal_positions in access exclusive mode`
    locked.resolve()
    await held.promise
  })
  await Promise.race([locked.promise, holding])
  return {
    async release() {
      held.resolve()
      await holding
      await sql.end()
    },
  }
}
