import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { addUser, userPassword } from '../../support/add-user.ts'
import { logIn, type Operator, operate } from '../../support/operator.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'
import { until } from '../../support/until.ts'
import { respond } from '../../support/upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../../support/upstream/upstream.ts'

setDefaultTimeout(deadline(60_000))

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
  /** Calls with the session and the key that she had all along. */
  const session = async (path = '/api/user/self') => (await ann.call('GET', path)).success
  const call = (model = 'gpt-4o') => callBy(key, model)
  async function callBy(presented: string, model = 'gpt-4o'): Promise<number> {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${presented}` },
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

  it('brings her back with everything: balance, key, password', async () => {
    const { code, output } = await gateway.run('undelete', 'ann')
    expect([code, output]).toEqual([0, expect.stringContaining('ann')])
    await becomes(async () => (await call()) === 200)
    ann = await logIn(gateway.url, { username: 'ann', password: userPassword })
    expect(await ann.quota()).toBeGreaterThan(0)
    expect(await gateway.run('undelete', 'ann')).toMatchObject({ code: 1 })
  })

  it('merges another account of hers: keys and balance follow, and the books are right', async () => {
    const bea = await addUser(gateway, 'bea-of-ann', 2000)
    const other = (await bea.addKey()).key
    const before = (await ann.quota()) + (await bea.quota())
    const merge = (from: number) => operator.call('POST', `/api/user/${ann.userId}/merge`, { from })
    expect((await merge(ann.userId)).code).toBe('user_merge_impossible')
    expect((await merge(bea.userId)).code).toBeUndefined()
    expect(await ann.quota()).toBe(before)
    await becomes(async () => (await callBy(other)) === 200)
    expect(await ann.quota()).toBe(before - chargePerCall)
    expect((await merge(bea.userId)).code).toBe('user_merge_impossible')
    expect((await gateway.run('undelete', 'bea-of-ann')).output).toContain(`account ${ann.userId}`)
    expect(await gateway.run('audit')).toMatchObject({ code: 0 })
  })

  it('exports everything about her in one file, without secrets', async () => {
    const response = await fetch(`${gateway.url}/api/user/${ann.userId}/export`, {
      headers: { cookie: operator.cookie, 'New-Api-User': String(operator.userId) },
    })
    const text = await response.text()
    const { accounts } = JSON.parse(text) as { accounts: Record<string, object[]>[] }
    expect(accounts).toHaveLength(2)
    expect(accounts[0]).toMatchObject({
      users: [{ username: 'ann' }],
      tokens: expect.arrayContaining([expect.objectContaining({ name: 'test key' })]),
    })
    expect(accounts[0]?.['logs']?.length).toBeGreaterThan(40)
    expect(text).not.toContain('$argon2')
    expect(text).not.toContain(key.slice(3))
  })

  it('erases her: no text names her in any table, a backup from before does not bring her back', async () => {
    const backup = `${gateway.dataDir}/before-erasure.tar`
    if (database === 'sqlite') expect(await gateway.run('backup', backup)).toMatchObject({ code: 0 })
    await operator.api('DELETE', `/api/user/${ann.userId}`)
    expect(await gateway.run('erase', 'ann')).toMatchObject({ code: 0 })
    expect((await gateway.run('undelete', `deleted-${ann.userId}`)).output).toContain('erased')
    const rows = await operator.api<{ items: { username: string; token_name: string }[]; total: number }>(
      'GET',
      `/api/log/?p=1&page_size=100&username=deleted-${ann.userId}`,
    )
    expect(rows.total).toBeGreaterThan(40)
    expect(new Set(rows.items.map(({ token_name }) => token_name))).toEqual(new Set(['']))
    const audit = await operator.api<{ items: { target_name: string; actor_name: string }[] }>(
      'GET',
      '/api/audit_log/?page_size=100',
    )
    expect(JSON.stringify(audit.items)).not.toMatch(/"ann"/)
    expect(await gateway.run('audit')).toMatchObject({ code: 0 })
    if (database !== 'sqlite') return
    await gateway.kill()
    expect(await gateway.run('restore', backup, '--force')).toMatchObject({ code: 0 })
    await gateway.start()
    operator = await operate(gateway.url)
    const found = await operator.api<{ items: { id: number; username: string }[] }>(
      'GET',
      `/api/user/search?keyword=${ann.userId}`,
    )
    expect(found.items).toContainEqual(expect.objectContaining({ username: `deleted-${ann.userId}` }))
    expect(await call()).toBe(401)
    expect(gateway.logs()).toContain('they are erased again')
  })
})
