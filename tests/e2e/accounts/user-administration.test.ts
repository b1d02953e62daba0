import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { addUser } from '../../support/add-user.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(60_000)

const actsWithinMs = 2000
// (20 + 10 × 4) × 1.25
const chargePerCall = 75

const databases = hasPostgres() ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)

describe.each(databases)('an administrator’s act, over %s', (database) => {
  let postgres: Postgres | undefined
  let upstream: Upstream
  let gateway: Tollgate
  let operator: Operator
  let ann: Operator
  let key: string

  beforeAll(async () => {
    upstream = await startUpstream()
    upstream.otherwise(respond({ usage: { promptTokens: 20, completionTokens: 10 } }))
    if (database === 'postgres') postgres = await startPostgres()
    const url = await postgres?.createDatabase()
    gateway = await startTollgate({
      env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', ...(url !== undefined && { DATABASE_URL: url }) },
    })
    operator = await operate(gateway.url)
    await operator.addChannel({ name: 'all', base_url: upstream.url, models: 'gpt-4o' })
    await operator.addChannel({ name: 'vip', base_url: upstream.url, models: 'gpt-4.1', group: 'vip' })
    ann = await addUser(gateway, 'ann', 1_000_000)
    key = (await ann.addKey()).key
  })
  afterAll(async () => {
    await gateway?.stop()
    await upstream?.stop()
    await postgres?.stop()
  })

  const manage = (action: string) => operator.api('POST', '/api/user/manage', { id: ann.userId, action })
  const edit = (change: object) => operator.api('PUT', '/api/user/', { id: ann.userId, ...change })
  /** Of the session and the key that she had all along. */
  const session = async (path = '/api/user/self') => (await ann.call('GET', path)).success
  async function call(model = 'gpt-4o'): Promise<number> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    })
    await response.text()
    return response.status
  }
  const becomes = (holds: () => Promise<boolean>) =>
    until(async () => ((await holds()) ? true : undefined), actsWithinMs)

  it('gives and takes a group: a live key reaches what the group reaches', async () => {
    expect([await call(), await call('gpt-4.1')]).toEqual([200, 503])
    await edit({ group: 'vip' })
    await becomes(async () => (await call('gpt-4.1')) === 200)
    await edit({ group: 'default' })
    await becomes(async () => (await call('gpt-4.1')) === 503)
  })

  it('gives and takes a role: a live session may what the role may', async () => {
    expect(await session('/api/user/')).toBe(false)
    await manage('promote')
    await becomes(() => session('/api/user/'))
    await manage('demote')
    await becomes(async () => !(await session('/api/user/')))
    expect(await session()).toBe(true)
  })

  it('changes a balance while calls are charged, and loses none of them', async () => {
    const before = await ann.quota()
    const calls = Array.from({ length: 40 }, () => call())
    const edits = Array.from({ length: 10 }, () => edit({ quota_change: 1000 }))
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]))
    await Promise.all(edits)
    expect(await ann.quota()).toBe(before - 40 * chargePerCall + 10_000)
    const notes = await operator.api<{ total: number }>('GET', '/api/log/?type=3&username=ann')
    expect(notes.total).toBe(10)
  })

  it('bans: sessions end, keys are refused; and lets keys back in', async () => {
    expect([await session(), await call()]).toEqual([true, 200])
    await manage('disable')
    await becomes(async () => !(await session()) && (await call()) === 403)
    await manage('enable')
    await becomes(async () => (await call()) === 200)
    expect(await session()).toBe(false)
  })

  it('deletes: nothing of hers works any more, and the books are right', async () => {
    await operator.api('DELETE', `/api/user/${ann.userId}`)
    await becomes(async () => [401, 403].includes(await call()))
    const gone = await operator.api<{ items: { id: number }[] }>('GET', '/api/user/?deleted=true')
    expect(gone.items.map(({ id }) => id)).toEqual([ann.userId])
    await gateway.kill()
    const { code, output } = await gateway.run('audit')
    expect([code, output]).toEqual([0, expect.any(String)])
    await gateway.start()
  })
})
