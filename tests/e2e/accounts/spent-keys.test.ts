import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { join } from 'node:path'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser } from '../../support/add-user.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const enough = 1_000_000
const usedUp = 4
const expired = 3

interface Key {
  readonly id: number
  readonly key: string
}

/** A key that has come to its end, and what the API alone raises it by. */
const endings: Readonly<Record<string, { readonly status: number; readonly raises: readonly object[] }>> = {
  'used up': { status: usedUp, raises: [{ remain_quota: enough }, { unlimited_quota: true }] },
  expired: {
    status: expired,
    raises: [{ expired_time: -1 }, { expired_time: Math.floor(Date.now() / 1000) + 900 }],
  },
}

describe('a key that was used up or has expired', () => {
  let upstream: Upstream
  let gateway: Tollgate
  let root: Operator
  let ada: Operator

  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ text: 'yes', usage: { promptTokens: 1000, completionTokens: 100 } }))
    gateway = await startTollgate({ env: consoleWithoutLimits })
    root = await operate(gateway.url)
    await root.addChannel({ name: 'one', base_url: upstream.url, models: 'house' })
    await root.option('ModelRatio', JSON.stringify({ house: 1 }))
    ada = await addUser(gateway, 'ada', 100 * enough)
    for (let made = 0; made < 4; made += 1) expiring.push(await addExpiring())
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
  })

  async function ask(key: string, method: string, path: string, body?: object): Promise<number> {
    const response = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    await response.text()
    return response.status
  }

  const call = (key: string) =>
    ask(key, 'POST', '/v1/chat/completions', { model: 'house', messages: [{ role: 'user', content: 'hi' }] })
  const statusOf = async ({ id }: Key) =>
    (await ada.api<{ status: number }>('GET', `/api/token/${id}`)).status

  /** Keys that expire while the first test waits. */
  const expiring: Key[] = []
  const addExpiring = () =>
    ada.addKey({ unlimited_quota: true, expired_time: Math.floor(Date.now() / 1000) + 1 })

  async function usedUpKey(): Promise<Key> {
    const key = await ada.addKey({ remain_quota: 10_000, unlimited_quota: false })
    await ada.api('PUT', '/api/token/', { id: key.id, remain_quota: 0 })
    return key
  }

  /** A key at its end, after a call with it has been refused. */
  async function endedKey(ending: string): Promise<Key> {
    const key = ending === 'used up' ? await usedUpKey() : (expiring.pop() ?? (await addExpiring()))
    await until(async () => (await statusOf(key)) === endings[ending]?.status || undefined)
    expect(await call(key.key)).toBe(401)
    return key
  }

  for (const [ending, { status, raises }] of Object.entries(endings)) {
    it.each(raises)(`works at once when it is raised by %j alone (${ending})`, async (raise) => {
      const key = await endedKey(ending)
      expect(await statusOf(key)).toBe(status)
      await ada.api('PUT', '/api/token/', { id: key.id, ...raise })
      expect(await call(key.key)).toBe(200)
      expect(await statusOf(key)).toBe(1)
    })

    it(`cannot be switched on while it is ${ending}, and stays off when a person switched it off`, async () => {
      const key = await endedKey(ending)
      const on = await ada.call('PUT', '/api/token/?status_only=true', { id: key.id, status: 1 })
      expect(on.code).toBe(ending === 'used up' ? 'token_exhausted_enable' : 'token_expired_enable')
      await ada.api('PUT', '/api/token/?status_only=true', { id: key.id, status: 2 })
      for (const raise of raises) await ada.api('PUT', '/api/token/', { id: key.id, ...raise })
      expect(await call(key.key)).toBe(401)
      expect(await statusOf(key)).toBe(2)
    })
  }

  it('is understood by its quota and time where an earlier version stored another status', async () => {
    const keys = [await ada.addKey({ unlimited_quota: true }), await ada.addKey({ unlimited_quota: true })]
    await gateway.kill()
    const database = new Database(join(gateway.dataDir, 'tollgate.db'))
    for (const [index, { id }] of keys.entries())
      database.run('update tokens set status = ? where id = ?', [expired + index, id])
    database.close()
    await gateway.start()
    for (const key of keys) {
      expect(await statusOf(key)).toBe(1)
      expect(await call(key.key)).toBe(200)
    }
  })

  const free = {
    '/v1/models': 200,
    '/v1/models/house': 200,
    '/v1beta/models': 200,
    '/v1/responses/resp_unknown': 404,
    '/v1/videos/video_unknown': 404,
    '/suno/fetch/unknown': 400,
    '/mj/task/unknown/fetch': 400,
  }
  const figures = {
    '/v1/dashboard/billing/subscription': 200,
    '/v1/dashboard/billing/usage': 200,
    '/dashboard/billing/subscription': 200,
    '/api/log/token': 200,
  }
  const statusesOf = async (key: string, paths: object) =>
    Object.fromEntries(
      await Promise.all(Object.keys(paths).map(async (path) => [path, await ask(key, 'GET', path)])),
    )

  it('reads what is free with a key that is used up', async () => {
    const { key } = await endedKey('used up')
    expect(await statusesOf(key, { ...free, ...figures })).toEqual({ ...free, ...figures })
    const prompt = { model: 'house', messages: [{ role: 'user', content: 'hi' }] }
    expect(await ask(key, 'POST', '/v1/messages/count_tokens', prompt)).toBe(200)
  })

  it('reads its figures alone with a key that has expired, and nothing with one that was switched off', async () => {
    const key = await endedKey('expired')
    expect(await statusesOf(key.key, figures)).toEqual(figures)
    expect(Object.values(await statusesOf(key.key, free))).toEqual(Object.values(free).map(() => 401))
    await ada.api('PUT', '/api/token/?status_only=true', { id: key.id, status: 2 })
    const off = await statusesOf(key.key, { ...free, ...figures })
    expect(Object.values(off).every((each) => each === 401)).toBe(true)
  })
})
