import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { type LogRow, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { cutAfter, refuse, respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const secretWords = 'the words of a caller'

let gateway: Tollgate
let dead: Upstream
let alive: Upstream
let root: Operator
let ann: Operator
let key: string
let aliveId: number

const agree = (keep_failed_calls: boolean) =>
  ann.api('PUT', '/api/user/setting', {
    notify_type: 'email',
    quota_warning_threshold: 1000,
    keep_failed_calls,
  })

/** A stream for ann. */
const stream = (model: string) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: secretWords }] }),
  })

interface LogPage {
  readonly items: readonly LogRow[]
}

const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''

/** A call of ann's that is refused, with its request id. */
async function call(): Promise<string> {
  const response = await stream('m')
  await response.text()
  expect(response.status).toBe(503)
  return idOf(response)
}

const storedUntil = async (id: string, as = root) =>
  (await as.api<{ expires_at: number }>('GET', `/api/log/kept?request_id=${id}`)).expires_at

const replay = (as: Operator, body: object, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/pg/replay`, {
    method: 'POST',
    headers: { cookie: as.cookie, 'new-api-user': String(as.userId), ...headers },
    body: JSON.stringify(body),
  })

describe('the replay of a failed call', () => {
  beforeAll(async () => {
    dead = await startUpstream()
    dead.otherwise(refuse(503, { message: 'out of order' }))
    alive = await startUpstream()
    alive.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 500 } }))
    gateway = await startTollgate()
    root = await operate(gateway.url)
    await root.option('RetryTimes', '0')
    await root.option('ModelRatio', JSON.stringify({ m: 1, half: 1 }))
    await root.addChannel({ name: 'dead', base_url: dead.url, models: 'm,half', priority: 9 })
    ;({ id: aliveId } = await root.addChannel({
      name: 'alive',
      base_url: alive.url,
      models: 'm,half',
      group: 'vip',
    }))
    ann = await addUser(gateway, 'ann', 1_000_000)
    key = (await ann.addKey()).key
  })
  afterAll(async () => {
    await gateway?.stop()
    await dead?.stop()
    await alive?.stop()
  })

  it('needs the operator and the owner of the key to agree', async () => {
    expect(await storedUntil(await call())).toBe(0)
    await root.option('KeepFailedCallsEnabled', 'true')
    expect(await storedUntil(await call())).toBe(0)
    await agree(true)
    const id = await call()
    const until_ = await until(async () => (await storedUntil(id)) || undefined)
    expect(until_ - Date.now() / 1000).toBeGreaterThan(23 * 3600)
  })

  it('keeps nothing in plain text, and nothing for other people', async () => {
    const id = await call()
    await until(async () => (await storedUntil(id)) || undefined)
    const database = new Database(join(gateway.dataDir, 'tollgate.db'), { readonly: true })
    const [row] = database.query('select * from failed_calls where request_id = ?').all(id)
    expect(JSON.stringify(row)).not.toContain(secretWords)
    database.close()
    const gemini = await fetch(`${gateway.url}/v1beta/models/m:generateContent?key=${key}`, {
      method: 'POST',
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: secretWords }] }] }),
    })
    expect(gemini.status).toBe(503)
    const geminiId = idOf(gemini)
    await until(async () => (await storedUntil(geminiId)) || undefined)
    expect((await replay(root, { request_id: geminiId, channel: aliveId })).status).toBe(200)
    alive.forget()
    alive.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 500 } }))
    expect((await ann.call('GET', `/api/log/kept?request_id=${id}`)).success).toBe(false)
    const body = { request_id: id, channel: aliveId }
    expect((await replay(ann, body)).status).toBe(403)
    expect((await replay(root, body, { origin: 'https://evil.example' })).status).toBe(401)
    expect((await replay(root, { ...body, request_id: 'unknown' })).status).toBe(404)
    expect((await replay(root, { request_id: id })).status).toBe(400)
    expect(alive.calls.length).toBe(0)
  })

  it('is charged to who replays, and written down', async () => {
    const id = await call()
    await until(async () => (await storedUntil(id)) || undefined)
    const before = { root: await root.quota(), ann: await ann.quota() }
    const response = await replay(root, { request_id: id, channel: aliveId })
    expect(response.status).toBe(200)
    await response.text()
    const row = await until(
      async () => (await root.api<LogPage>('GET', `/api/log/?p=1&request_id=${idOf(response)}`)).items[0],
    )
    // 1,000 input and 500 output tokens at a ratio of 1.
    expect(row).toMatchObject({ prompt_tokens: 1000, completion_tokens: 500, quota: 1500 })
    expect(alive.calls.at(-1)?.body).toContain(secretWords)
    expect(before.root - (await root.quota())).toBe(1500)
    expect(await ann.quota()).toBe(before.ann)
    const { items } = await root.api<{ items: { action: string; target_name: string }[] }>(
      'GET',
      '/api/audit_log/?p=1&action=log.replay',
    )
    expect(items[0]?.target_name).toBe(id)
  })

  it('is there for a stream that its upstream broke off, too', async () => {
    dead.on('half', cutAfter(2, { text: 'Half of it.' }))
    const response = await stream('half')
    expect(response.status).toBe(200)
    await response.text().catch(() => undefined)
    const id = idOf(response)
    await until(async () => (await storedUntil(id)) || undefined)
    await root.consumption(1)
    expect((await replay(root, { request_id: id, channel: aliveId })).status).toBe(200)
  })

  it('is there for a call that failed behind a ping', async () => {
    await root.option('general_setting.ping_interval_enabled', 'true')
    await root.option('general_setting.ping_interval_seconds', '1')
    dead.on('half', async (exchange) => {
      await Bun.sleep(1500)
      return refuse(503)(exchange)
    })
    const response = await stream('half')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('error')
    const id = idOf(response)
    await until(async () => (await storedUntil(id)) || undefined)
    await root.option('general_setting.ping_interval_enabled', 'false')
  })

  it('is over at once when the owner or the operator no longer agrees', async () => {
    const id = await call()
    await until(async () => (await storedUntil(id)) || undefined)
    await agree(false)
    await until(async () => ((await storedUntil(id)) === 0 ? true : undefined))
    expect((await replay(root, { request_id: id, channel: aliveId })).status).toBe(404)
    await agree(true)
    await root.option('KeepFailedCallsEnabled', 'false')
    expect(await storedUntil(id)).toBe(0)
  })
})
