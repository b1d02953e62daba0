import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline, slowness } from '../../../scripts/deadline/deadline.mjs'
import { type Envelope, type Operator, operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'

setDefaultTimeout(deadline(60_000))

interface Row {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly balance: number
  readonly used_quota: number
  readonly health: { readonly last_success_time: number; readonly never_answered: boolean }
}

interface Progress {
  readonly running: boolean
  readonly total: number
  readonly done: number
  readonly failed: number
  readonly cancelled: boolean
}

/** Responds to chats after a pause and with a status that the test sets, and reports its balance. */
const pause = { ms: 0 }
const served = { status: 200 }
const upstream = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url }) {
    if (url.endsWith('/user/balance'))
      return Response.json({ balance_infos: [{ currency: 'CNY', total_balance: '42.00' }] })
    await Bun.sleep(pause.ms)
    if (served.status !== 200)
      return Response.json({ error: { message: 'broken' } }, { status: served.status })
    const message = { role: 'assistant', content: 'hi' }
    return Response.json({
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    })
  },
})

let gateway: Tollgate
let root: Operator

beforeAll(async () => {
  gateway = await startTollgate()
  root = await operate(gateway.url)
  const base_url = `http://127.0.0.1:${upstream.port}`
  for (let index = 0; index < 12; index += 1)
    await root.addChannel({ name: `channel ${index}`, base_url, models: 'gpt-4o-mini', type: 43, tag: 't' })
})
afterAll(async () => {
  await gateway?.stop()
  await upstream.stop(true)
})

const progressOf = (path: string) => root.api<Progress>('GET', `${path}/progress`)
const ended = (path: string) =>
  until(async () => ((await progressOf(path)).running ? undefined : true), 20_000)
const list = (query = '') =>
  root.call<Row[]>('GET', `/api/channel/?page_size=100&${query}`) as Promise<
    Envelope<Row[]> & { readonly total: number }
  >

describe('channels of the running program', () => {
  it('are tested all at once, with progress, and the test is cancelled at once', async () => {
    pause.ms = 300
    await root.api('GET', '/api/channel/test')
    expect(await root.call('GET', '/api/channel/test')).toMatchObject({ code: 'channel_test_running' })
    await until(async () => (await progressOf('/api/channel/test')).done || undefined, 20_000)
    expect(await progressOf('/api/channel/test')).toMatchObject({ running: true, total: 12 })
    const began = performance.now()
    const cancelled = await root.api<Progress>('DELETE', '/api/channel/test')
    expect(performance.now() - began).toBeLessThan(2000 * slowness())
    expect(cancelled).toMatchObject({ running: false, cancelled: true, failed: 0 })
    expect(cancelled.done).toBeLessThan(12)
    pause.ms = 0
    await root.api('GET', '/api/channel/test')
    await ended('/api/channel/test')
    const finished = { running: false, cancelled: false, total: 12, done: 12, failed: 0 }
    expect(await progressOf('/api/channel/test')).toMatchObject(finished)
  })

  it('tell their balances, one and all', async () => {
    expect(await root.call('GET', '/api/channel/update_balance/1/')).toMatchObject({ balance: 42 })
    await root.api('GET', '/api/channel/update_balance')
    await ended('/api/channel/update_balance')
    expect(new Set((await list()).data.map(({ balance }) => balance))).toEqual(new Set([42]))
  })

  it('are changed in bulk and by tag, with an outcome for each row', async () => {
    const reply = await root.call('POST', '/api/channel/batch/update', { ids: [1, 999], priority: 9 })
    expect(reply).toMatchObject({
      data: 1,
      outcomes: [
        { id: 1, success: true, message: '' },
        { id: 999, success: false, code: 'record_not_found' },
      ],
    })
    expect((await list()).data[0]?.id).toBe(1)
    expect(await root.api<number>('POST', '/api/channel/tag/disabled', { tag: 't' })).toBe(12)
    expect(await list('status=2')).toMatchObject({ total: 12 })
    expect(await list('tag_mode=true')).toMatchObject({ total: 1, data: { length: 12 } })
    await root.api('POST', '/api/channel/tag/enabled/', { tag: 't' })
    expect(await list('status=2')).toMatchObject({ total: 0 })
  })

  it('are repaired with what their charges say, in books that add up', async () => {
    const { key } = await root.addKey({ unlimited_quota: true })
    const chat = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(chat),
    })
    expect(reply.status).toBe(200)
    await root.consumption(1)
    const used = (await list()).data.find(({ used_quota }) => used_quota > 0)
    await gateway.kill()
    const database = openBeside(gateway.dataDir)
    database.run('delete from channel_accounts where id = ?', [used?.id ?? 0])
    database.close()
    await gateway.start()
    root = await operate(gateway.url)
    expect((await list()).total).toBe(11)
    expect(await root.api<number>('POST', '/api/channel/fix')).toBe(1)
    expect(await root.api<number>('POST', '/api/channel/fix')).toBe(0)
    expect((await list()).data.find(({ id }) => id === used?.id)?.used_quota).toBe(used?.used_quota ?? 0)
    expect((await gateway.run('audit')).output).toContain('adds up')
  })

  it('have their last success after a restart', async () => {
    const { health } = await root.api<Row>('GET', '/api/channel/5')
    expect(health.never_answered).toBe(false)
    expect(health.last_success_time).toBeGreaterThan(0)
  })

  it('show their keys to root alone, and to no cache', async () => {
    const visible = await root.api<{ keys: string[] }>('POST', '/api/channel/1/key')
    expect(visible.keys).toHaveLength(1)
    expect(visible.keys[0]).not.toBe('')
    const copied = await root.api<Row>('POST', '/api/channel/copy/1')
    const again = await root.api<{ keys: string[] }>('POST', `/api/channel/${copied.id}/key`)
    expect(again).toEqual(visible)
  })

  it('are deleted when they are disabled, copies among them, and are out of every list then', async () => {
    await root.api('PUT', '/api/channel/', { id: 2, status: 2 })
    expect(await root.api<number>('DELETE', '/api/channel/disabled')).toBe(2)
    expect(await root.call('GET', '/api/channel/2')).toMatchObject({ code: 'record_not_found' })
    expect(await root.api<number>('POST', '/api/channel/batch', { ids: [3, 4] })).toBe(2)
    expect(await list()).toMatchObject({ total: 9 })
  })
})

describe('tests of channels', () => {
  interface LogRow {
    readonly content: string
    readonly other: string
  }
  const rows = (language: string) =>
    fetch(`${gateway.url}/api/log/?p=1&page_size=6&type=4`, {
      headers: {
        cookie: root.cookie,
        'New-Api-User': String(root.userId),
        'accept-language': language,
      },
    }).then(async (reply) => ((await reply.json()) as { data: { items: LogRow[] } }).data.items)

  async function testAll(cancels: boolean): Promise<void> {
    pause.ms = cancels ? 300 : 0
    await root.api('GET', '/api/channel/test')
    if (cancels) {
      await until(async () => (await progressOf('/api/channel/test')).done || undefined, 20_000)
      await root.api('DELETE', '/api/channel/test')
    } else await ended('/api/channel/test')
    pause.ms = 0
  }

  it('stand in the log as codes with parameters, and as sentences of both languages', async () => {
    const { id } = (await list()).data[0] ?? { id: 0 }
    for (const status of [500, 200]) {
      served.status = status
      await root.call('GET', `/api/channel/test/${id}`)
      await testAll(false)
      await testAll(true)
    }
    const english = await rows('en')
    expect(english.map(({ other }) => (JSON.parse(other) as { event: string }).event).toSorted()).toEqual([
      'channel_test_failed',
      'channel_test_passed',
      'channels_test_cancelled',
      'channels_test_cancelled_with',
      'channels_tested',
      'channels_tested_with',
    ])
    for (const { content } of english) expect(content).toMatch(/^(Channel test: |Test of \d+ channels, )/)
    for (const { content } of await rows('zh')) expect(content).toMatch(/^(渠道测试：|测试了? ?\d+ 个渠道)/)
  })
})
