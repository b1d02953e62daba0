import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(120_000))

let upstream: Upstream
let gateway: Tollgate
let operator: Operator
let allowedKey: string

beforeAll(async () => {
  upstream = await startUpstream()
  upstream.otherwise(
    respond({ text: 'a short answer', delayMs: 20, usage: { promptTokens: 20, completionTokens: 10 } }),
  )
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.addChannel({ name: 'money', base_url: upstream.url, models: 'gpt-4o,gpt-4o-2024-11-20' })
  allowedKey = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

function call(key: string, index: number, stream: boolean): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'gpt-4o',
      stream,
      max_tokens: 10,
      messages: [{ role: 'user', content: `Question ${index}` }],
    }),
  })
}

// (20 + 10 × 4) × 1.25
const chargePerCall = 75

describe('a balance', () => {
  it('worth 10 calls never serves more than 10 of 64 at once; the others get the reason', async () => {
    await (await call(allowedKey, 0, false)).text()
    const userWithoutQuota = await operator.addKey({
      unlimited_quota: false,
      remain_quota: 10 * chargePerCall,
    })
    const replies = await Promise.all(
      Array.from({ length: 64 }, async (_, index) => {
        const response = await call(userWithoutQuota.key, index, index % 2 === 0)
        return { status: response.status, text: await response.text() }
      }),
    )
    const served = replies.filter((reply) => reply.status === 200)
    const refused = replies.filter((reply) => reply.status !== 200)
    expect(served.length).toBeLessThanOrEqual(10)
    expect(served.length).toBeGreaterThan(0)
    for (const { status, text } of refused) {
      expect([401, 403]).toContain(status)
      expect(JSON.parse(text).error.type).toBe('insufficient_quota')
    }
    const token = await operator.api<{ remain_quota: number }>('GET', `/api/token/${userWithoutQuota.id}`)
    expect(token.remain_quota).toBe((10 - served.length) * chargePerCall)
  })
})

describe('a balance worth 10 calls of a kind never seen, without a limit on their output', () => {
  it('never serves more than 10 of 64 at once', async () => {
    const userWithoutQuota = await operator.addKey({
      unlimited_quota: false,
      remain_quota: 10 * chargePerCall,
    })
    const statuses = await Promise.all(
      Array.from({ length: 64 }, async () => {
        const response = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${userWithoutQuota.key}` },
          body: JSON.stringify({
            model: 'gpt-4o-2024-11-20',
            messages: [{ role: 'user', content: 'Question' }],
          }),
        })
        await response.text()
        return response.status
      }),
    )
    const served = statuses.filter((status) => status === 200).length
    expect(served).toBeGreaterThan(0)
    expect(served).toBeLessThanOrEqual(10)
  })
})

describe('kill -9 under load, twenty times', () => {
  it('charges every response that a caller received completely exactly once, and none twice', async () => {
    const received = new Set<string>()
    let stopping = false
    async function callOnce(index: number): Promise<void> {
      const stream = index % 2 === 0
      const response = await call(allowedKey, index, stream)
      const text = await response.text()
      const buffered = stream ? text.includes('[DONE]') : text.includes('"usage"')
      if (response.status === 200 && buffered) received.add(response.headers.get('x-request-id') ?? '')
    }
    async function worker(lane: number): Promise<void> {
      for (let index = lane * 100_000; !stopping; index += 1) await callOnce(index).catch(() => Bun.sleep(5))
    }
    const before = (await operator.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')).total
    const workers = Array.from({ length: 16 }, (_, lane) => worker(lane))
    for (let kill = 0; kill < 20; kill += 1) {
      await Bun.sleep(60 + ((kill * 37) % 140))
      await gateway.kill('SIGKILL')
      await gateway.restart()
    }
    await Bun.sleep(200)
    stopping = true
    await Promise.all(workers)
    await gateway.restart()

    operator = await operate(gateway.url)
    const charged = new Map<string, number>()
    const { total } = await operator.api<{ total: number }>('GET', '/api/log/?p=1&page_size=1&type=2')
    for (let page = 1; (page - 1) * 100 < total; page += 1) {
      const { items } = await operator.api<{ items: { request_id: string }[] }>(
        'GET',
        `/api/log/?p=${page}&page_size=100&type=2`,
      )
      for (const { request_id } of items) charged.set(request_id, (charged.get(request_id) ?? 0) + 1)
    }
    expect(received.size).toBeGreaterThan(100)
    expect([...charged.values()].filter((times) => times > 1)).toEqual([])
    expect([...received].filter((id) => !charged.has(id))).toEqual([])
    expect(total).toBeGreaterThanOrEqual(before + received.size)

    await gateway.kill()
    const audit = await gateway.run('audit')
    expect(audit.output).toContain('adds up')
    expect(audit.code).toBe(0)
    await gateway.start()
  })
})

describe('a journal whose database was replaced', () => {
  const databaseFiles = (folder: string) =>
    readdirSync(folder).filter((name) => name.startsWith('tollgate.db'))
  const move = (from: string, to: string) => {
    for (const name of databaseFiles(from)) renameSync(join(from, name), join(to, name))
  }

  it('is refused in one line, and written once its database is back', async () => {
    const other = await startTollgate()
    try {
      const owner = await operate(other.url)
      await owner.addChannel({ name: 'money', base_url: upstream.url, models: 'gpt-4o' })
      const { key } = await owner.addKey()
      const before = await owner.quota()
      const response = await fetch(`${other.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
      })
      expect(response.status).toBe(200)
      await response.text()
      await other.kill('SIGKILL')

      const aside = join(other.dataDir, 'aside')
      mkdirSync(aside)
      move(other.dataDir, aside)
      const refused = await other.start().catch((error: Error) => error.message)
      const lines = String(refused).split('\n')
      expect(lines.filter((line) => line.includes('journal'))).toHaveLength(1)
      expect(refused).toContain('has charges of another database: point DATABASE_URL')
      const audit = await other.run('audit')
      expect(audit.code).toBe(1)
      expect(audit.output).toContain('The journal has charges of another database')

      move(aside, other.dataDir)
      await other.start()
      expect(before - (await (await operate(other.url)).quota())).toBe(chargePerCall)
    } finally {
      await other.stop()
    }
  })
})
