import { afterAll, afterEach, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { loadCalls } from '../../support/load.ts'
import { type Operator, operate } from '../../support/operator.ts'
import type { ReceivedSpan } from '../../support/protocols/otlp-traces.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/services/otlp-receiver.ts'
import { until } from '../../support/until.ts'
import { cutAfter, refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

// Each case starts a program.
setDefaultTimeout(deadline(60_000))

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const caller = { traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'vendor=1' }
const [serverKind, clientKind] = [2, 3]

let collector: OtlpReceiver
let first: Upstream
let second: Upstream
let gateway: Tollgate | undefined
let operator: Operator
let key: string

beforeAll(async () => {
  collector = startOtlpReceiver()
  first = await startUpstream()
  second = await startUpstream()
})
afterEach(async () => {
  await gateway?.stop()
  gateway = undefined
  first.forget()
  second.forget()
  collector.respondWith(200)
})
afterAll(async () => {
  await collector?.stop()
  await first?.stop()
  await second?.stop()
})

async function start(env: Readonly<Record<string, string>> = {}): Promise<Tollgate> {
  gateway = await startTollgate({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_METRIC_EXPORT_INTERVAL: '300',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      ...env,
    },
  })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'first', base_url: first.url, models: 'gpt-4o', priority: 10 })
  await operator.addChannel({ name: 'second', base_url: second.url, models: 'gpt-4o' })
  key = (await operator.addKey()).key
  return gateway
}

async function call(fields: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`${gateway?.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'secret words' }],
      ...fields,
    }),
  })
  await response.text()
  return response.headers.get('x-request-id') ?? ''
}

/** The spans of a call: the call itself, what came before the first attempt, and the attempts. */
async function traceOf(requestId: string) {
  const root = await until(() =>
    collector.spans.find(({ attributes }) => attributes['tollgate.request_id'] === requestId),
  )
  const count = 1 + Number(root.attributes['tollgate.attempts'])
  const children = await until(() => {
    const found = collector.spans.filter(({ parentSpanId }) => parentSpanId === root.spanId)
    return found.length >= count ? found.toSorted((one, other) => one.startMs - other.startMs) : undefined
  })
  const attempts = children.filter(({ kind }) => kind === clientKind)
  return { root, children, attempts }
}

const lengthOf = ({ startMs, endMs }: ReceivedSpan) => endMs - startMs

describe('traces', () => {
  for (const protocol of ['http/protobuf', 'http/json'])
    it(`have a span for each attempt, within the caller's trace, that add up to the call (${protocol})`, async () => {
      await start({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol })
      first.otherwise(async (exchange) => {
        await Bun.sleep(120)
        await refuse(503)(exchange)
      })
      second.otherwise(respond({ text: 'one two three four five', eventDelayMs: 40 }))
      const requestId = await call({ stream: true }, caller)
      const { root, children, attempts } = await traceOf(requestId)
      expect(root).toMatchObject({
        traceId,
        parentSpanId: parentId,
        kind: serverKind,
        name: 'chat gpt-4o',
        status: 0,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.request.stream': true,
          'tollgate.outcome': 'ok',
        },
        resource: {
          'service.name': 'tollgate',
          'deployment.environment.name': 'test',
        },
      })
      expect(attempts.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
        [2, 'overloaded'],
        [0, undefined],
      ])
      const [failed, serving] = attempts
      const port = (upstream: Upstream) => Number(new URL(upstream.url).port)
      expect([failed?.attributes['server.port'], serving?.attributes['server.port']]).toEqual([
        port(first),
        port(second),
      ])
      expect(serving?.attributes).toMatchObject({
        'gen_ai.provider.name': 'openai',
        'server.address': '127.0.0.1',
        'gen_ai.usage.output_tokens': root.attributes['gen_ai.usage.output_tokens'],
      })
      expect(serving?.events).toEqual(['first token'])
      expect(failed && lengthOf(failed)).toBeGreaterThan(110)
      expect(serving && lengthOf(serving)).toBeGreaterThan(150)
      for (const span of children) {
        expect(span.traceId).toBe(traceId)
        expect(span.startMs).toBeGreaterThanOrEqual(root.startMs)
        expect(span.endMs).toBeLessThanOrEqual(root.endMs)
      }
      // One after the other without gaps: times are whole milliseconds, and a busy machine is late by some.
      expect(children.map(({ name }) => name)).toEqual(['prepare', 'chat gpt-4o', 'chat gpt-4o'])
      const sum = children.reduce((total, span) => total + lengthOf(span), 0)
      expect(Math.abs(lengthOf(root) - sum)).toBeLessThanOrEqual(deadline(lengthOf(root) / 10))
      expect(collector.headers.at(-1)?.get('x-tenant')).toBe('one')
      expect(JSON.stringify(collector.spans)).not.toContain('secret words')
      expect(JSON.stringify(collector.spans)).not.toContain(key)
    })

  it('tell how a call failed, and leave out what a caller made up', async () => {
    await start()
    first.otherwise(cutAfter(2))
    const broken = await traceOf(await call({ stream: true }))
    expect([broken.root.status, broken.root.attributes['error.type']]).toEqual([2, 'upstream_cut'])
    expect(broken.attempts.map(({ status }) => status)).toEqual([2])
    const refused = await traceOf(await call({ model: 'made-up' }))
    expect(refused.root).toMatchObject({
      name: 'chat',
      status: 2,
      attributes: { 'tollgate.outcome': 'no_channel' },
    })
    expect(refused.attempts).toEqual([])
  })

  it('reach upstreams by a switch alone, with the ids that the spans have', async () => {
    await start()
    first.otherwise(respond())
    await call({}, caller)
    expect(first.calls.at(-1)?.headers['traceparent']).toBeUndefined()
    await gateway?.stop()

    await start({ TRACE_UPSTREAMS: 'true' })
    first.otherwise(refuse(503))
    second.otherwise(respond())
    const { root, attempts } = await traceOf(await call({}, caller))
    expect(root.parentSpanId).toBe(parentId)
    const sent = [first, second].map((upstream) => upstream.calls.at(-1)?.headers['traceparent'])
    expect(sent).toEqual(attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`))
    const own = await traceOf(await call())
    expect(own.root.parentSpanId).toBe('')
    expect(second.calls.at(-1)?.headers['traceparent']).toBe(
      `00-${own.root.traceId}-${own.attempts.at(-1)?.spanId}-01`,
    )
  })

  it('are sampled as the standard says, also what upstreams learn', async () => {
    await start({
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
      TRACE_UPSTREAMS: 'true',
    })
    first.otherwise(respond())
    const unsampled = await call()
    expect(first.calls.at(-1)?.headers['traceparent']).toEndWith('-00')
    const sampled = await call({}, caller)
    await traceOf(sampled)
    const seen = collector.spans.map(({ attributes }) => attributes['tollgate.request_id'])
    expect(seen).not.toContain(unsampled)
  })

  it('are dropped while the collector fails or is gone, and calls do not notice', async () => {
    const { url } = await start({ OTEL_BSP_MAX_QUEUE_SIZE: '64', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '16' })
    // The load leaves the processor to the exporter.
    first.otherwise(respond({ delayMs: 20 }))
    collector.respondWith(503)
    const load = loadCalls(url, key, 8)
    await until(() => (load.served.length > 300 ? true : undefined), 30_000)
    await load.end()
    expect(load.failures).toEqual([])
    await until(
      () =>
        gateway
          ?.logs()
          .includes(
            'telemetry cannot be exported and is dropped: check OTEL_EXPORTER_OTLP_ENDPOINT and the collector',
          )
          ? true
          : undefined,
      20_000,
    )
    expect(gateway?.logs().match(/telemetry cannot be exported/g)?.length).toBe(1)
    const startedAt = performance.now()
    await gateway?.stop()
    expect(performance.now() - startedAt).toBeLessThan(8000 * slowness())
  })
})

describe('metrics', () => {
  it('are pushed to the collector too', async () => {
    await start({ OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json', OTEL_TRACES_EXPORTER: 'none' })
    first.otherwise(respond())
    const spans = collector.spans.length
    await call()
    const points = await until(() => {
      const last = collector.metrics.at(-1)
      if (last?.type !== 'application/json') return undefined
      const { resourceMetrics } = JSON.parse(new TextDecoder().decode(last.body))
      const metrics = resourceMetrics[0].scopeMetrics.flatMap((scope: { metrics: object[] }) => scope.metrics)
      const calls = metrics.find(({ name }: { name: string }) => name === 'tollgate.calls')
      return calls?.sum.dataPoints.length > 0 ? { calls, metrics } : undefined
    })
    expect(points.calls.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 })
    expect(points.calls.sum.dataPoints[0].asDouble).toBe(1)
    const duration = points.metrics.find(({ name }: { name: string }) => name === 'tollgate.call.duration')
    expect([duration.unit, duration.histogram.dataPoints[0].count]).toEqual(['s', 1])
    expect(collector.spans.length).toBe(spans)
  })
})

describe('the log', () => {
  it('has a line for each call with its request id, where it is wanted', async () => {
    await start({ OTEL_SDK_DISABLED: 'true', LOG_CALLS: 'true' })
    first.otherwise(respond())
    const requestId = await call()
    const line = await until(() =>
      gateway
        ?.logs()
        .split('\n')
        .find((text) => text.includes('a call ended') && text.includes(requestId)),
    )
    expect(JSON.parse(line)).toMatchObject({
      requestId,
      model: 'gpt-4o',
      outcome: 'ok',
      userId: operator.userId,
    })
    expect(line).not.toContain('secret words')
    expect(line).not.toContain(key)
  })
})
