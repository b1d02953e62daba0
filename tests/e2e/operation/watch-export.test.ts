import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { type OtlpReceiver, startOtlpReceiver } from '../../support/services/otlp-receiver.ts'
import { type S3Server, startS3Server } from '../../support/services/s3-server.ts'
import { until } from '../../support/until.ts'
import { refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const account = { accessKeyId: 'AKIA-TEST', secretAccessKey: 'a secret access key', region: 'eu-central-1' }
const secret = 'shared with the receiver'

interface UsageRecord {
  readonly id: number
  readonly kind: string
  readonly quota: number
  readonly username?: string
  readonly key_name?: string
  readonly content?: string
}

/** A receiver that keeps each batch whose signature is right. */
function startReceiver() {
  const batches: { readonly key: string | null; readonly records: readonly UsageRecord[] }[] = []
  const statuses: number[] = []
  let poison: number | undefined
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.text()
      const status = statuses.shift()
      if (status !== undefined) return new Response(null, { status })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      if (request.headers.get('x-webhook-signature') !== signature) return new Response(null, { status: 401 })
      const { records } = JSON.parse(body) as { records: UsageRecord[] }
      if (records.some(({ id }) => id === poison)) return new Response(null, { status: 422 })
      batches.push({ key: request.headers.get('idempotency-key'), records })
      return new Response(null, { status: 204 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/usage`,
    batches,
    records: () => batches.flatMap(({ records }) => records),
    failWith: (...next: readonly number[]) => void statuses.push(...next),
    refuseRecord: (id: number) => {
      poison = id
    },
    stop: () => server.stop(true),
  }
}

describe('the export of usage', () => {
  let upstream: Upstream
  let receiver: ReturnType<typeof startReceiver>
  let store: S3Server
  let collector: OtlpReceiver
  let gateway: Tollgate
  let operator: Operator
  let key: string

  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'hello', usage: { promptTokens: 20, completionTokens: 10 } }))
    receiver = startReceiver()
    store = startS3Server(account)
    collector = startOtlpReceiver()
    gateway = await startTollgate({
      env: {
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
        METRICS_TOKEN: 'a token for the scraper',
        USAGE_EXPORT_FROM: 'start',
        USAGE_EXPORT_WEBHOOK_URL: receiver.url,
        USAGE_EXPORT_WEBHOOK_SECRET: secret,
        USAGE_EXPORT_S3_ENDPOINT: store.url,
        USAGE_EXPORT_S3_BUCKET: 'billing',
        USAGE_EXPORT_S3_REGION: account.region,
        USAGE_EXPORT_S3_ACCESS_KEY_ID: account.accessKeyId,
        USAGE_EXPORT_S3_SECRET_ACCESS_KEY: account.secretAccessKey,
        USAGE_EXPORT_S3_SECONDS: '1',
        USAGE_EXPORT_HASH: 'username',
        USAGE_EXPORT_LEAVE_OUT: 'key_name',
        OTEL_LOGS_EXPORTER: 'otlp',
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      },
    })
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'first', base_url: upstream.url, models: 'gpt-4o,sick' })
    await operator.option('ModelRatio', JSON.stringify({ 'gpt-4o': 1.25, sick: 1 }))
    key = (await operator.addKey()).key
  })
  afterAll(async () => {
    await gateway?.stop()
    await receiver?.stop()
    await store?.stop()
    await collector?.stop()
    await upstream?.stop()
  })

  const call = (model = 'gpt-4o') =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'a private question' }] }),
    }).then((reply) => reply.text())

  /** Rows of calls in the database, oldest first. */
  function rows(): readonly { readonly id: number; readonly quota: number; readonly type: number }[] {
    const database = new Database(join(gateway.dataDir, 'tollgate.db'), { readonly: true })
    const found = database
      .query<{ id: number; quota: number; type: number }, []>(
        'select id, quota, type from logs where type in (2, 5) order by id',
      )
      .all()
    database.close()
    return found
  }

  const files = () => {
    const records: UsageRecord[] = []
    for (const [name, bytes] of store.objects) {
      expect(name).toMatch(/^billing\/usage\/\d{4}-\d\d-\d\d\/\d{12}\.jsonl\.gz$/)
      const text = new TextDecoder().decode(Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>))
      records.push(
        ...text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as UsageRecord),
      )
    }
    return records
  }
  const collected = () =>
    collector.logs.flatMap((body) =>
      (
        body as { resourceLogs: { scopeLogs: { logRecords: { body: { stringValue: string } }[] }[] }[] }
      ).resourceLogs.flatMap(({ scopeLogs }) =>
        scopeLogs.flatMap(({ logRecords }) =>
          logRecords.map((record) => JSON.parse(record.body.stringValue) as UsageRecord),
        ),
      ),
    )
  const ids = (records: readonly UsageRecord[]) =>
    [...new Set(records.map(({ id }) => id))].sort((a, b) => a - b)
  /** Waits until every destination has each row of the log. */
  const allArrived = (expected: number) =>
    until(() => {
      const wanted = rows().map(({ id }) => id)
      const sinks = [receiver.records(), files(), collected()]
      return (
        (wanted.length >= expected && sinks.every((records) => ids(records).join() === wanted.join())) ||
        undefined
      )
    }, 30_000)

  it('brings each call, charged or failed, to webhook, files and collector', async () => {
    upstream.on('sick', refuse(400, { message: 'no such thing' }))
    for (let made = 0; made < 5; made += 1) await call()
    await call('sick')
    await allArrived(6)
    const sent = receiver.records()
    expect(sent.map(({ kind }) => kind).sort()).toEqual([...Array(5).fill('charge'), 'failure'])
    const charged = rows().reduce((sum, { quota }) => sum + quota, 0)
    expect(sent.reduce((sum, { quota }) => sum + quota, 0)).toBe(charged)
    expect(charged).toBeGreaterThan(0)
  })

  it('sends no content, no name that was hashed and no field that was left out', () => {
    const everything = JSON.stringify([receiver.records(), files(), collected()])
    for (const hidden of ['a private question', 'no such thing', '"root"', 'key_name', 'content'])
      expect(everything).not.toContain(hidden)
    const [one] = receiver.records()
    expect(one?.username).toMatch(/^[0-9a-f]{64}$/)
  })

  it('loses nothing to destinations that fail, to a kill, or to a restart', async () => {
    receiver.failWith(503)
    store.failWith(503)
    collector.respondWith(503)
    const calls = Array.from({ length: 40 }, () => call().catch(() => undefined))
    await Bun.sleep(300)
    await gateway.restart('SIGKILL')
    await Promise.all(calls)
    collector.respondWith(200)
    for (let made = 0; made < 5; made += 1) await call()
    await allArrived(11)
    // What arrived twice is recognised: the same id.
    expect(ids(receiver.records()).length).toBe(rows().length)
  })

  it('is not stopped by one record that a receiver refuses, and says so in the metrics', async () => {
    const last = rows().at(-1)?.id ?? 0
    receiver.refuseRecord(last + 2)
    for (let made = 0; made < 4; made += 1) await call()
    await until(() => ids(receiver.records()).includes(last + 4) || undefined, 30_000)
    const written = rows().map(({ id }) => id)
    expect(ids(receiver.records())).toEqual(written.filter((id) => id !== last + 2))
    const metrics = async () =>
      (
        await fetch(`${gateway.url}/metrics`, {
          headers: { authorization: 'Bearer a token for the scraper' },
        })
      ).text()
    await until(
      async () =>
        (await metrics()).includes('tollgate_usage_export_refused_total{destination="webhook"} 1') ||
        undefined,
    )
    expect(await metrics()).toContain('tollgate_usage_export_behind_rows{destination="s3"}')
  })
})
