import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addAdministrator, addUser } from '../../support/add-user.ts'
import { type ConsoleCall, type ConsoleContract, readContract } from '../../support/console/console-calls.ts'
import { argumentsOf, send } from '../../support/console/console-request.ts'
import { changedTables, contentsOf } from '../../support/console/database-contents.ts'
import type { Hint } from '../../support/console/sample-values.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

const providerKey = 'sk-provider-key-that-only-the-upstream-knows'

let gateway: Tollgate
let upstream: Upstream
let contract: ConsoleContract
let root: Operator
let channelId: number
/** Keys, codes and links with which something can be spent or read, as they are stored. */
const spendable: string[] = []
/** A person and headers of their access token that only reads. */
const readers: { readonly who: string; readonly headers: Readonly<Record<string, string>> }[] = []

beforeAll(async () => {
  upstream = await startUpstream()
  gateway = await startTollgate({ env: consoleWithoutLimits })
  root = await operate(gateway.url)
  contract = await readContract(gateway.url)
  channelId = (
    await root.addChannel({ name: 'one', base_url: upstream.url, models: 'm', key: providerKey } as never)
  ).id
  spendable.push(providerKey)
  spendable.push(
    ...(await root.api<string[]>('POST', '/api/redemption/', { name: 'gift', count: 3, quota: 5 })),
  )
  // An address that a first read would look up and cache.
  await root.option('ReleaseCheckUrl', `${upstream.url}/release`)
  const admin = await logIn(gateway.url, await addAdministrator(gateway, 'ada'))
  const people = { root, admin, common: await addUser(gateway, 'ann', 1_000_000) }
  for (const [who, person] of Object.entries(people)) {
    spendable.push((await person.addKey()).key.replace(/^sk-/, ''))
    const day = { day: '2026-11-29', time_zone: 'UTC' }
    spendable.push((await person.api<{ path: string }>('POST', '/api/log/self/link', day)).path)
    await person.api('POST', '/api/user/self/access_tokens', { name: 'laptop' })
    const body = { name: 'watch', scope: 'read' }
    const { token } = await person.api<{ token: string }>('POST', '/api/user/self/access_tokens', body)
    readers.push({
      who,
      headers: { authorization: `Bearer ${token}`, 'new-api-user': String(person.userId) },
    })
  }
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop()
})

/** Rows that exist, so that a call that acts would act on something. */
const hint: Hint = (name) => {
  if (name === 'id') return channelId
  return name === 'ids' ? [1] : undefined
}

/** Reads the rows that a token's use writes: its owner wants to know of it; failed tries of secrets are counted. */
const contents = () => contentsOf(gateway.dataDir, ['access_tokens', 'one_time_secrets'])

/** Tables that the gateway writes by itself: its problems whenever it looks at them, and some time after its start that everything is sealed. */
const ownTables = ['incidents', 'database_identity']
const changesSince = (before: ReturnType<typeof contents>) =>
  changedTables(before, contents()).filter((table) => !ownTables.includes(table))

/** Fields whose texts are random, with what they are: none opens anything. */
const harmless: Readonly<Record<string, string>> = {
  'GET /api/channel/models id': 'name of a model',
  'GET /api/models #': 'names of models, by type of channel',
  'GET /api/nodes id': 'name of a start of the gateway',
  'GET /api/option/ value': 'prices by names of models; secrets have no value',
  'POST /api/user/many/preview confirmation': 'a hash of what the preview says',
}

/** A text that nobody guesses, as keys, tokens and signatures are; words and names have no digits among so many letters. */
const randomText = /(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}/i

/** Names of the fields with such a text, at any depth. */
function randomNames(value: unknown, name = 'data'): readonly string[] {
  if (typeof value === 'string') return randomText.test(value) ? [name] : []
  if (Array.isArray(value)) return value.flatMap((item) => randomNames(item, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) => randomNames(field, /^\d+$/.test(key) ? '#' : key))
}

const secretsIn = (text: string) => spendable.filter((secret) => text.includes(secret))

const callAll = async (call: ConsoleCall) =>
  Promise.all(
    readers.map(async ({ who, headers }) => ({
      who,
      ...(await send(gateway.url, call, argumentsOf(contract, call, hint), headers)),
    })),
  )

describe('an access token that only reads', () => {
  it('changes no row, calls no upstream and receives nothing to spend with, by any call of the document', async () => {
    const findings: string[] = []
    const random: string[] = []
    let answered = 0
    // What the start and the preparations still write.
    const before = await until(async () => {
      const former = contents()
      await Bun.sleep(1500)
      return changesSince(former).length === 0 ? former : undefined
    })
    const called = upstream.calls.length
    // A log-out needs no token at all, and public calls do not look at one.
    for (const call of contract.calls.filter(({ access }) => access !== 'public')) {
      for (const { who, status, text, envelope } of await callAll(call)) {
        if (status === 200 && envelope.success !== false) answered += 1
        random.push(...randomNames(envelope.data).map((name) => `${call.name} ${name}`))
        findings.push(...secretsIn(text).map((secret) => `${call.name} shows ${who} ${secret}`))
      }
    }
    // Charges and last uses are written in groups.
    await Bun.sleep(1500)
    expect(findings).toEqual([])
    expect([...new Set(random)].toSorted()).toEqual(Object.keys(harmless).toSorted())
    expect(changesSince(before)).toEqual([])
    expect(upstream.calls.length).toBe(called)
    expect(answered).toBeGreaterThan(100)
  })

  it('is refused what acts by GET, and what a session sees whole it sees masked', async () => {
    const headers = readers[0]?.headers ?? {}
    const get = async (path: string) => (await fetch(gateway.url + path, { headers })).json()
    for (const path of [
      '/api/channel/test',
      `/api/channel/test/${channelId}`,
      '/api/channel/update_balance',
      `/api/channel/update_balance/${channelId}`,
      `/api/channel/fetch_models/${channelId}`,
      '/api/release',

      '/api/user/aff',
    ])
      expect([path, (await get(path)).code]).toEqual([path, 'access_token_read_only'])
    expect((await fetch(`${gateway.url}/api/log/export`, { headers })).status).toBe(403)
    const [{ key }] = (await get('/api/token/')).data
    expect(key).toMatch(/^\w{4}\*{10}\w{4}$/)
    const codes = (await get('/api/redemption/')).data.items as { key: string }[]
    expect(codes.every((code) => /^\w{4}\*{10}\w{4}$/.test(code.key))).toBe(true)
    const [own] = await root.api<{ key: string }[]>('GET', '/api/token/')
    expect(own?.key).toMatch(/^\w{48}$/)
    const spent = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    expect(spent.status).toBe(401)
  })

  it('reads what a POST only works out', async () => {
    const headers = { ...readers[0]?.headers, 'content-type': 'application/json' }
    const body = JSON.stringify({ ids: [channelId], priority: 7 })
    const preview = await fetch(`${gateway.url}/api/channel/batch/preview`, { method: 'POST', headers, body })
    expect(((await preview.json()) as { success: boolean }).success).toBe(true)
    const stops = await fetch(`${gateway.url}/api/channel/stops`, { method: 'POST', headers, body })
    expect(((await stops.json()) as { success: boolean }).success).toBe(true)
  })
})
