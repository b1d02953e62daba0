import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser, userPassword } from '../../support/add-user.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { openBeside } from '../../support/processes/open-beside.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const enough = 1_000_000
const usedUp = 4
const expired = 3

/** An expiry that a key can still be given, and that is soon past. */
const soon = () => Math.floor(Date.now() / 1000) + 2

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
    await root.addChannel({ name: 'one', base_url: upstream.url, models: 'house,slow' })
    upstream.on('slow', respond({ text: 'yes', delayMs: 500 }))
    await root.option('ModelRatio', JSON.stringify({ house: 1, slow: 1 }))
    ada = await addUser(gateway, 'ada', 100 * enough)
    for (let made = 0; made < 6; made += 1) expiring.push(await addExpiring())
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

  const call = (key: string, model = 'house') =>
    ask(key, 'POST', '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'hi' }] })
  const statusOf = async ({ id }: Key) =>
    (await ada.api<{ status: number }>('GET', `/api/token/${id}`)).status

  /** Keys that expire while the first test waits. */
  const expiring: Key[] = []
  const addExpiring = () => ada.addKey({ unlimited_quota: true, expired_time: soon() })

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
    const database = openBeside(gateway.dataDir)
    for (const [index, { id }] of keys.entries())
      database.run('update tokens set status = ? where id = ?', [expired + index, id])
    database.close()
    await gateway.start()
    for (const key of keys) {
      expect(await statusOf(key)).toBe(1)
      expect(await call(key.key)).toBe(200)
    }
  })

  it('does not mind its status being sent back as it was read, or as it is to be', async () => {
    for (const [ending, { status, raises }] of Object.entries(endings))
      for (const [index, raise] of raises.entries()) {
        const key = await endedKey(ending)
        const read = await ada.api<object>('GET', `/api/token/${key.id}`)
        expect(read).toMatchObject({ status })
        await ada.api('PUT', '/api/token/', { ...read, ...raise, ...(index > 0 && { status: 1 }) })
        expect(await call(key.key)).toBe(200)
      }
  })

  it('works at once when it is raised beside a call in flight', async () => {
    const { id, key } = await ada.addKey({ remain_quota: enough, unlimited_quota: false })
    const running = call(key, 'slow')
    await upstream.call(({ model }) => model === 'slow')
    await ada.api('PUT', '/api/token/', { id, remain_quota: 0 })
    expect(await call(key)).toBe(401)
    await ada.api('PUT', '/api/token/', { id, remain_quota: enough })
    expect([await call(key), await running]).toEqual([200, 200])
    expect(await statusOf({ id, key })).toBe(1)
  })

  it('is named, not swallowed, when an edit has another switch than the key', async () => {
    const { id } = await ada.addKey()
    const warningOf = async (body: object) => {
      const headers = { cookie: ada.cookie, 'New-Api-User': String(ada.userId) }
      const request = { method: 'PUT', headers, body: JSON.stringify({ id, ...body }) }
      return (await fetch(`${gateway.url}/api/token/`, request)).headers.get('x-tollgate-warning')
    }
    for (const status of [1, 3, 4]) expect(await warningOf({ status })).toBeNull()
    expect(await warningOf({ status: 2 })).toBe('fields that this call does not change: status')
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

  describe('that several things keep from calling', () => {
    const ofKeys = ['expired', 'used up', 'switched off'] as const
    const ofOwners = ['banned', 'out of balance'] as const
    type Reason = (typeof ofKeys)[number] | (typeof ofOwners)[number]
    type Act = (owner: Operator, id: number) => Promise<unknown>
    const subsets = <Name extends Reason>(names: readonly Name[]): Name[][] =>
      names.reduce<Name[][]>((all, name) => all.concat(all.map((each) => [...each, name])), [[]])

    const causes: Readonly<Record<Reason, Act>> = {
      'used up': (owner, id) =>
        owner.api('PUT', '/api/token/', { id, remain_quota: 0, unlimited_quota: false }),
      expired: (owner, id) => owner.api('PUT', '/api/token/', { id, expired_time: soon() }),
      'switched off': (owner, id) => owner.api('PUT', '/api/token/?status_only=true', { id, status: 2 }),
      banned: ({ userId: id }) => root.api('POST', '/api/user/manage', { id, action: 'disable' }),
      'out of balance': ({ userId: id }) => root.api('PUT', '/api/user/', { id, quota: 0 }),
    }
    const mends: Readonly<Record<Reason, Act>> = {
      'used up': (owner, id) => owner.api('PUT', '/api/token/', { id, remain_quota: enough }),
      expired: (owner, id) => owner.api('PUT', '/api/token/', { id, expired_time: -1 }),
      'switched off': (owner, id) => owner.api('POST', '/api/token/batch', { ids: [id], action: 'enable' }),
      banned: ({ userId: id }) => root.api('POST', '/api/user/manage', { id, action: 'enable' }),
      'out of balance': ({ userId: id }) => root.api('PUT', '/api/user/', { id, quota_change: 10 * enough }),
    }

    /** Returns what a key may call while these are left: its work, free calls, its own figures. */
    const expected = (left: ReadonlySet<Reason>) => {
      const isOff = left.has('switched off') || left.has('banned')
      return [left.size === 0, !isOff && !left.has('expired'), !isOff]
    }
    const served = async (key: string) => [
      (await call(key)) === 200,
      (await ask(key, 'GET', '/v1/models')) === 200,
      (await ask(key, 'GET', '/api/log/token')) === 200,
    ]

    interface Walk {
      readonly id: number
      readonly key: string
      readonly left: Set<Reason>
    }

    async function expectAll(walks: readonly Walk[], step: string): Promise<void> {
      for (const { key, left } of walks)
        expect([step, [...left], await served(key)]).toEqual([step, [...left], expected(left)])
    }

    async function addWalk(owner: Operator, reasons: readonly Reason[]): Promise<Walk> {
      const { id, key } = await owner.addKey({ unlimited_quota: true })
      for (const reason of reasons) await causes[reason](owner, id)
      return { id, key, left: new Set(reasons) }
    }

    /** An owner for each combination of what owners lack, with a key for each of what keys lack. */
    const owners = subsets(ofOwners).map((reasons, index) => ({ reasons, name: `walker${index}` }))
    const prepared = new Map<string, { readonly owner: Operator; readonly walks: readonly Walk[] }>()
    beforeAll(async () => {
      for (const { name } of owners) {
        const owner = await addUser(gateway, name, 10 * enough)
        const walks = await Promise.all(subsets(ofKeys).map((reasons) => addWalk(owner, reasons)))
        prepared.set(name, { owner, walks })
      }
    })

    it.each(owners)('calls what is left to it, as each thing is mended: owner $reasons', async (found) => {
      const { reasons: ownersReasons, name } = found
      const { owner, walks } = prepared.get(name) ?? { owner: ada, walks: [] }
      expect(walks).toHaveLength(8)
      for (const reason of ownersReasons) await afflict(walks, reason, owner)
      await until(async () => (await Promise.all(walks.map(hasEnded))).every(Boolean) || undefined)
      await expectAll(walks, 'before')
      for (const reason of ownersReasons) {
        await mends[reason](owner, 0)
        await expectAll(without(walks, reason), reason)
      }
      // A ban ends the sessions of its person.
      const door = await logIn(gateway.url, { username: name, password: userPassword })
      for (const reason of ofKeys) {
        for (const { id } of walks.filter(({ left }) => left.has(reason))) await mends[reason](door, id)
        await expectAll(without(walks, reason), reason)
      }
    })

    async function afflict(walks: readonly Walk[], reason: Reason, owner: Operator): Promise<void> {
      await causes[reason](owner, 0)
      for (const { left } of walks) left.add(reason)
    }

    function without(walks: readonly Walk[], reason: Reason): readonly Walk[] {
      for (const { left } of walks) left.delete(reason)
      return walks
    }

    /** Decides whether a key that is to be expired is, which its figures do not show: it lists no models any more. */
    const hasEnded = async ({ key, left }: Walk) =>
      !left.has('expired') || (await ask(key, 'GET', '/v1/models')) === 401
  })
})
