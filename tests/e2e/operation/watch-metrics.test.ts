import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { at } from '../../../scripts/lib/root.mjs'
import { loadCalls, pacedMs } from '../../support/load.ts'
import {
  canMakeCertificates,
  makeCertificate,
  type OwnCertificate,
} from '../../support/network/certificate.ts'
import { freePort } from '../../support/network/free-port.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { alertCases, alertTests } from '../../support/services/alert-cases.ts'
import {
  hasPrometheus,
  type Prometheus,
  promtool,
  startPrometheus,
  startPrometheusWith,
} from '../../support/services/prometheus.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(90_000))

const token = 'a token for the scraper alone'
let gateway: Tollgate
let operator: Operator
let first: Upstream
let second: Upstream
let key: string
/** Ids of channels as labels. */
let channels: readonly string[]

beforeAll(async () => {
  first = await startUpstream()
  second = await startUpstream()
  gateway = await startTollgate({ env: { METRICS_TOKEN: token, GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  const one = await operator.addChannel({
    name: 'first "one"',
    base_url: first.url,
    models: 'gpt-4o',
    priority: 10,
  })
  const two = await operator.addChannel({ name: 'second', base_url: second.url, models: 'gpt-4o' })
  channels = [one, two].map(({ id }) => String(id))
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await first?.stop()
  await second?.stop()
})

async function scrape(): Promise<string> {
  const response = await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return await response.text()
}

/** The value of one line of a scrape; 0 for what never happened. */
function readValue(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `))
  return line === undefined ? 0 : Number(line.slice(series.length + 1))
}

async function call(fields: object = {}, as = key): Promise<Response> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}` },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...fields }),
  })
  await response.clone().text()
  return response
}

describe('/metrics', () => {
  it('is open to nobody without the token, and is no page of metrics where none is configured', async () => {
    const headers = [{}, { authorization: 'Bearer wrong' }, { authorization: `Bearer ${key}` }]
    for (const presented of headers) {
      const { status } = await fetch(`${gateway.url}/metrics`, { headers: presented })
      expect(status).toBe(401)
    }
    const plain = await startTollgate()
    try {
      const text = await (await fetch(`${plain.url}/metrics`)).text()
      expect(text).not.toContain('tollgate_')
    } finally {
      await plain.stop()
    }
  })

  it('is at an address of its own where one is configured, and not at the gateway', async () => {
    const port = await freePort()
    const other = await startTollgate({ env: { METRICS_LISTEN: `127.0.0.1:${port}` } })
    try {
      expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('tollgate_build_info{')
      expect((await fetch(`http://127.0.0.1:${port}/api/status`)).status).toBe(404)
      expect(await (await fetch(`${other.url}/metrics`)).text()).not.toContain('tollgate_')
    } finally {
      await other.stop()
    }
  })

  it('counts calls, attempts, failovers, tokens and cost as the log does', async () => {
    first.otherwise(refuse(503))
    const before = await operator.consumed()
    expect((await call()).status).toBe(200)
    expect((await call({ stream: true })).status).toBe(200)
    const row = await operator.consumption(before + 2)
    const text = await scrape()
    const [one, two] = channels
    expect(readValue(text, 'tollgate_calls_total{model="gpt-4o",outcome="ok"}')).toBe(2)
    expect(
      readValue(text, `tollgate_attempts_total{channel="${one}",model="gpt-4o",kind="overloaded"}`),
    ).toBe(2)
    expect(readValue(text, `tollgate_attempts_total{channel="${two}",model="gpt-4o",kind="ok"}`)).toBe(2)
    expect(readValue(text, `tollgate_failovers_total{channel="${one}",model="gpt-4o"}`)).toBe(2)
    const position = `channel="${two}",model="gpt-4o"`
    expect(readValue(text, `tollgate_tokens_total{${position},type="input"}`)).toBe(2 * row.prompt_tokens)
    expect(readValue(text, `tollgate_tokens_total{${position},type="output"}`)).toBe(
      2 * row.completion_tokens,
    )
    expect(readValue(text, `tollgate_charged_quota_total{${position}}`)).toBe(2 * row.quota)
    expect(readValue(text, 'tollgate_call_duration_seconds_count{model="gpt-4o"}')).toBe(2)
    expect(readValue(text, 'tollgate_first_token_seconds_count{model="gpt-4o"}')).toBe(1)
    expect(text).toContain(
      `tollgate_channel_info{channel="${one}",name="first \\"one\\"",provider="openai"} 1`,
    )
    first.forget()
    first.otherwise(respond())
  })

  it('counts refusals by their code and limits that were hit, and has no label that a caller made up', async () => {
    const before = await scrape()
    expect((await call({}, 'sk-nobody')).status).toBe(401)
    expect((await call({ model: 'made-up-by-a-caller' })).status).not.toBe(200)
    await operator.option('ModelRateLimits', '{"gpt-4o":{"requests_per_minute":1}}')
    const statuses = [await call(), await call(), await call()].map(({ status }) => status)
    await operator.option('ModelRateLimits', '{}')
    const refused = statuses.filter((status) => status === 429).length
    expect(refused).toBeGreaterThan(0)
    const text = await scrape()
    const grown = (series: string) => readValue(text, series) - readValue(before, series)
    expect(grown('tollgate_errors_total{code="invalid_api_key"}')).toBe(1)
    expect(grown('tollgate_errors_total{code="too_many_requests"}')).toBe(refused)
    expect(grown('tollgate_limit_hits_total{limit="rate"}')).toBe(refused)
    expect(grown('tollgate_calls_total{model="gpt-4o",outcome="limit"}')).toBe(refused)
    expect(grown('tollgate_calls_total{model="other",outcome="no_channel"}')).toBe(1)
    expect(text).not.toContain('made-up-by-a-caller')
    expect(text).not.toContain(key)
  })
})

describe.skipIf(!hasPrometheus())('with Prometheus', () => {
  let prometheus: Prometheus
  beforeAll(async () => {
    prometheus = await startPrometheus(new URL(gateway.url).host, token)
  })
  afterAll(() => prometheus?.stop())

  it('shows under load what the callers saw, and is scraped in time', async () => {
    const series = 'sum(tollgate_calls_total{outcome="ok"})'
    const before = readValue(await scrape(), 'tollgate_calls_total{model="gpt-4o",outcome="ok"}')
    first.otherwise(respond({ delayMs: pacedMs }))
    const load = loadCalls(gateway.url, key, 8)
    await prometheus.awaited('sum(rate(tollgate_calls_total{outcome="ok"}[5s]))', (rate) => rate > 5)
    await prometheus.awaited('tollgate_calls_in_flight', (count) => count > 0)
    expect(await prometheus.value('max_over_time(scrape_duration_seconds[30s])')).toBeLessThan(1)
    await load.end()
    expect(load.failures).toEqual([])
    const served = load.served.length
    expect(await prometheus.awaited(series, (total) => total >= before + served)).toBe(before + served)
    await prometheus.awaited('tollgate_calls_in_flight', (count) => count === 0)
    await prometheus.awaited(
      'tollgate_journal_lag_calls + tollgate_flush_queue_calls',
      (waiting) => waiting === 0,
    )
    expect(await prometheus.scrapeError()).toBe('')
  })

  it('writes metrics that promtool finds nothing to say about', async () => {
    expect(await promtool(['check', 'metrics'], await scrape())).toEqual({ code: 0, output: '' })
  })

  it('has rules that promtool accepts and whose tests pass', async () => {
    expect(await promtool(['check', 'rules', 'tollgate.rules.yml'])).toMatchObject({ code: 0 })
    expect(await promtool(['test', 'rules', 'tollgate.rules.test.yml'])).toMatchObject({ code: 0 })
    expect(await promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])).toMatchObject({ code: 0 })
  })

  it('has rules and a dashboard of metrics that exist, in queries that Prometheus reads', async () => {
    const text = await scrape()
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''))
    const rules = readFileSync(at('deploy', 'monitoring', 'tollgate.rules.yml'), 'utf8')
    const dashboard = readFileSync(at('deploy', 'monitoring', 'grafana-dashboard.json'), 'utf8')
    const used = new Set(
      [...(rules + dashboard).matchAll(/\b(?:tollgate|process)_[a-z_]+\b/g)].map(([name]) =>
        name.replace(/_(bucket|sum|count)$/, ''),
      ),
    )
    // The folder of the token in a comment of the scrape's own file is none.
    expect([...used].filter((name) => !known.has(name))).toEqual([])
    expect([...known].filter((name) => !used.has(name))).toEqual([])
    for (const query of queriesOf(dashboard)) await prometheus.value(query)
    const evaluated = await prometheus.awaited('count(ALERTS) or vector(0)', () => true)
    expect(evaluated).toBeGreaterThanOrEqual(0)
  })
})

describe.skipIf(!hasPrometheus() || !canMakeCertificates())('a node with everything to watch', () => {
  const balanceAtUpstream = 12.5
  const account = { balance_infos: [{ currency: 'USD', total_balance: String(balanceAtUpstream) }] }
  const completion = {
    id: 'c',
    model: 'deepseek-chat',
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
  }
  let watched: Tollgate
  let poor: Upstream
  let certificate: OwnCertificate
  let site: ReturnType<typeof Bun.serve>
  let upstreamAccount: ReturnType<typeof Bun.serve>
  let folder: string
  let text: string
  const metricsPort = freePort()

  /** The nodes of compose.yaml listen so, at a port of this test's own. */
  async function metricsListen(): Promise<string> {
    const compose = Bun.YAML.parse(readFileSync(at('deploy', 'compose.yaml'), 'utf8')) as {
      'x-node': { environment: { METRICS_LISTEN: string } }
    }
    const { METRICS_LISTEN: address } = compose['x-node'].environment
    return address.replace(/:\d+$/, `:${await metricsPort}`)
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-rules-'))
    certificate = await makeCertificate('localhost')
    const tls = { key: certificate.key, cert: certificate.cert }
    site = Bun.serve({ port: 0, hostname: '127.0.0.1', tls, fetch: () => new Response('ok') })
    upstreamAccount = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ method }) => Response.json(method === 'GET' ? account : completion),
    })
    poor = await startUpstream()
    watched = await startTollgate({
      env: {
        METRICS_LISTEN: await metricsListen(),
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
        USAGE_EXPORT_WEBHOOK_URL: upstreamAccount.url.href,
      },
    })
    const root = await operate(watched.url)
    await root.addChannel({ name: 'poor', base_url: poor.url, models: 'gpt-4o' })
    const counted = await root.addChannel({
      name: 'with a balance',
      type: 43,
      base_url: upstreamAccount.url.origin,
      models: 'deepseek-chat',
    })
    await root.api('GET', `/api/channel/update_balance/${counted.id}`)
    const [rich, empty] = [
      await root.addKey(),
      await root.addKey({ unlimited_quota: false, remain_quota: 1 }),
    ]
    const ask = (as: string, { model = 'gpt-4o', stream = false } = {}) =>
      fetch(`${watched.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${as}` },
        body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'hi' }] }),
      }).then((response) => response.text())
    await ask(rich.key, { stream: true })
    await ask(rich.key, { model: 'deepseek-chat' })
    await ask(empty.key)
    await root.consumption(2)
    poor.otherwise(refuse(402))
    await ask(rich.key)
    expect((await watched.run('backup', join(folder, 'whole.tar'))).code).toBe(0)
    await root.option('ServerAddress', `https://localhost:${site.port}`)
    text = await (await fetch(`http://127.0.0.1:${await metricsPort}/metrics`)).text()
  })
  afterAll(async () => {
    await watched?.stop()
    await poor?.stop()
    await site?.stop(true)
    await upstreamAccount?.stop(true)
    certificate?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('exposes room, damage, backups, ends, balances and margins as they are', () => {
    const now = Date.now() / 1000
    const value = (series: string) => readValue(text, series)
    const disk = statfsSync(watched.dataDir)
    expect(value('tollgate_disk_size_bytes')).toBe(disk.blocks * disk.bsize)
    expect(value('tollgate_disk_free_bytes')).toBeWithin(1, disk.blocks * disk.bsize)
    expect(value('tollgate_database_size_bytes')).toBeGreaterThan(100_000)
    expect(value('tollgate_journal_bytes')).toBeGreaterThan(0)
    expect([value('tollgate_database_damaged'), value('tollgate_journal_lost_calls')]).toEqual([0, 0])
    expect(now - value('tollgate_last_backup_timestamp_seconds')).toBeWithin(0, 60)
    const { validTo } = new X509Certificate(certificate.cert)
    expect(value('tollgate_certificate_end_timestamp_seconds')).toBe(Date.parse(validTo) / 1000)
    expect(value('tollgate_channel_balance{channel="2"}')).toBe(balanceAtUpstream)
    expect(now - value('tollgate_channel_balance_timestamp_seconds{channel="2"}')).toBeWithin(0, 60)
    const [charged, cost] = ['charged', 'cost'].map((what) =>
      value(`tollgate_day_${what}_quota{channel="1"}`),
    )
    expect([charged, cost]).toEqual([expect.any(Number), expect.any(Number)])
    expect(Math.min(Number(charged), Number(cost))).toBeGreaterThan(0)
    expect(value('tollgate_day_cost_quota{channel="2"}')).toBeGreaterThan(0)
    expect(value('tollgate_clock_trusted')).toBe(1)
    expect(value('tollgate_errors_total{code="insufficient_token_quota"}')).toBe(1)
    expect(value('tollgate_attempts_total{channel="1",model="gpt-4o",kind="quota"}')).toBeGreaterThan(0)
  })

  it('has a case for every alert rule, in which promtool sees it fire, and fires none by itself', async () => {
    const rules = readFileSync(at('deploy', 'monitoring', 'tollgate.rules.yml'), 'utf8')
    const alerts = [...rules.matchAll(/- alert: (\S+)/g)].map(([, name = '']) => name)
    expect(Object.keys(alertCases).sort()).toEqual(alerts.sort())
    const file = at('deploy', 'monitoring', 'tollgate.rules.yml')
    for (const [index, tests] of alertTests(text, rules, file).entries()) {
      const path = join(folder, `${index}.test.yml`)
      writeFileSync(path, JSON.stringify(tests))
      expect(await promtool(['test', 'rules', path])).toMatchObject({ code: 0 })
    }
  })

  it('is reached by the Prometheus of the compose file as that ships', async () => {
    const shipped = readFileSync(at('deploy', 'monitoring', 'prometheus.yml'), 'utf8')
    const port = await metricsPort
    const placed = shipped
      .replaceAll(/node-\d:\d+/g, `127.0.0.1:${port}`)
      .replace('tollgate.rules.yml', at('deploy', 'monitoring', 'tollgate.rules.yml'))
      .replace(/scrape_interval: \S+/, 'scrape_interval: 1s')
    const scraper = await startPrometheusWith(placed)
    try {
      await scraper.awaited('min(up{job="tollgate"})', (up) => up === 1)
      expect(await scraper.scrapeError()).toBe('')
    } finally {
      await scraper.stop()
    }
  })
})

/** Returns the queries as Grafana sends them, with its variables filled in. */
function queriesOf(dashboard: string): readonly string[] {
  const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }
  return panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) =>
      expr.replaceAll('$__rate_interval', '5s').replaceAll(/\$(instance|model|channel|job)\b/g, '.*'),
    )
}
