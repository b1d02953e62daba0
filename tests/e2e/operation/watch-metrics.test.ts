import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { readFileSync } from 'node:fs'
import { at } from '../../../scripts/lib/root.mjs'
import { loadCalls } from '../../support/load.ts'
import { freePort } from '../../support/network/free-port.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import {
  hasPrometheus,
  type Prometheus,
  promtool,
  startPrometheus,
} from '../../support/services/prometheus.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(90_000)

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
    const place = `channel="${two}",model="gpt-4o"`
    expect(readValue(text, `tollgate_tokens_total{${place},type="input"}`)).toBe(2 * row.prompt_tokens)
    expect(readValue(text, `tollgate_tokens_total{${place},type="output"}`)).toBe(2 * row.completion_tokens)
    expect(readValue(text, `tollgate_charged_quota_total{${place}}`)).toBe(2 * row.quota)
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

/** As Grafana sends them, with its variables filled in. */
function queriesOf(dashboard: string): readonly string[] {
  const { panels } = JSON.parse(dashboard) as { panels: { targets?: { expr: string }[] }[] }
  return panels
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .map((expr) =>
      expr.replaceAll('$__rate_interval', '5s').replaceAll(/\$(instance|model|channel|job)\b/g, '.*'),
    )
}
