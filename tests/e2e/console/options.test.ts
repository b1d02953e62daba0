import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { join } from 'node:path'
import { slowness } from '../../../scripts/deadline/deadline.mjs'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

let gateway: Tollgate
let root: Operator

beforeAll(async () => {
  gateway = await startTollgate()
  root = await operate(gateway.url)
})
afterAll(() => gateway?.stop())

type Row = { readonly key: string; readonly value: string; readonly is_set?: boolean }

const put = (body: unknown) => root.call('PUT', '/api/option/', body)
const putMany = (options: unknown) => root.call('PUT', '/api/option/batch', { options })
const rowOf = async (key: string) =>
  (await root.api<Row[]>('GET', '/api/option/')).find((row) => row.key === key)

function stored<T>(query: string): T[] {
  const database = new Database(join(gateway.dataDir, 'tollgate.db'), { readonly: true })
  const rows = database.query(query).all() as T[]
  database.close()
  return rows
}

describe('options', () => {
  it('are text when they are read, whatever they were written as', async () => {
    await put({ key: 'LogConsumeEnabled', value: false })
    await put({ key: 'RetryTimes', value: 3 })
    expect(await rowOf('LogConsumeEnabled')).toEqual({ key: 'LogConsumeEnabled', value: 'false' })
    expect(await rowOf('RetryTimes')).toEqual({ key: 'RetryTimes', value: '3' })
  })

  it('that are secrets are written, said to be set, removed, and never read back from anywhere', async () => {
    expect(await rowOf('SMTPToken')).toEqual({ key: 'SMTPToken', value: '', is_set: false })
    await put({ key: 'SMTPToken', value: 'a-very-secret-word' })
    await put({ key: 'SMTPToken', value: '' })
    expect(await rowOf('SMTPToken')).toEqual({ key: 'SMTPToken', value: '', is_set: true })
    const retained = JSON.stringify([stored('select * from options'), stored('select * from audit_log')])
    expect(retained + gateway.logs()).not.toContain('a-very-secret-word')
    await put({ key: 'SMTPToken', clear: true })
    expect(await rowOf('SMTPToken')).toMatchObject({ is_set: false })
  })

  it('are written together or not at all, and each change is written down', async () => {
    const before = stored('select * from audit_log')
    const refused = await putMany([
      { key: 'SystemName', value: 'Half' },
      { key: 'ModelPrice', value: '{"gpt-4o":' },
    ])
    expect(refused).toMatchObject({ success: false, code: 'option_not_json' })
    expect(refused.message).toContain('ModelPrice')
    expect(await rowOf('SystemName')).toMatchObject({ value: 'Tollgate' })
    expect(stored('select * from audit_log')).toEqual(before)
    await putMany([
      { key: 'oidc.enabled', value: true },
      { key: 'oidc.client_id', value: 'us' },
      { key: 'SystemName', value: 'Whole' },
    ])
    const acts = stored<{ target_name: string; after: string; address: string }>(
      'select * from audit_log order by id desc limit 3',
    )
    expect(acts.map(({ target_name, after }) => [target_name, after])).toEqual([
      ['SystemName', '{"value":"Whole"}'],
      ['oidc.client_id', '{"value":"us"}'],
      ['oidc.enabled', '{"value":"true"}'],
    ])
    expect(acts[0]?.address).toBe('127.0.0.1')
    await gateway.restart('SIGKILL')
    expect(await rowOf('SystemName')).toMatchObject({ value: 'Whole' })
  })

  it.each([
    [{}, 'key'],
    [{ key: 'RetryTimes', value: null }, 'value'],
    [{ key: 'RetryTimes', value: { a: 1 } }, 'value'],
    [{ key: 'RetryTimes', value: 'NaN' }, 'RetryTimes'],
    [{ key: 'RetryTimes', value: '1e309' }, 'RetryTimes'],
    [{ key: 'Price', value: -1 }, 'Price'],
    [{ key: 'GroupRatio', value: '{"default":1e309}' }, 'default'],
    [{ key: 'Chats', value: '[{"a":"javascript:alert(1)"}]' }, 'Chats'],
    [{ key: '__proto__', value: 'x' }, '__proto__'],
    [{ key: 'SMTPToken', clear: 'yes' }, 'clear'],
  ])('refuse %j naming %s, and store nothing', async (body, name) => {
    const before = stored('select * from options')
    for (const reply of [await put(body), await putMany([body])]) {
      expect(reply.success).toBe(false)
      expect(reply.message).toContain(name)
    }
    expect(stored('select * from options')).toEqual(before)
  })

  it('stay as they are where no value comes', async () => {
    const before = stored('select * from options')
    for (const key of ['RetryTimes', 'PayAddress', 'EpayKey']) expect((await put({ key })).success).toBe(true)
    expect(stored('select * from options')).toEqual(before)
  })

  it('refuse a malformed batch', async () => {
    for (const options of [undefined, [], {}, 'x', [5]]) {
      const reply = await putMany(options)
      expect([reply.success, reply.message]).toEqual([false, expect.stringContaining('options')])
    }
  })
})

describe('the release check', () => {
  it('is off until there is an address, returns the release, and fails within seconds without a response', async () => {
    const check = () => root.call<{ tag_name: string }>('GET', '/api/release')
    expect(await check()).toMatchObject({ success: false, code: 'release_check_off' })
    const host = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.json({ tag_name: 'v9.9.9', body: '# News', html_url: 'x' }),
    })
    await root.option('ReleaseCheckUrl', `http://127.0.0.1:${host.port}/releases/latest`)
    expect((await check()).data).toEqual({ tag_name: 'v9.9.9', body: '# News', newer: true } as never)
    const silent = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Bun.sleep(60_000).then(() => new Response()),
    })
    await root.option('ReleaseCheckUrl', `http://127.0.0.1:${silent.port}/`)
    const began = performance.now()
    expect(await check()).toMatchObject({ success: false, code: 'release_check_failed' })
    expect(performance.now() - began).toBeLessThan(4000 * slowness())
    await Promise.all([host.stop(true), silent.stop(true)])
  })
})
