import { afterAll, describe, expect, it } from 'bun:test'
import type { OwnOverview } from '@tollgate/api'
import { closeTestStores } from '../../../accounts/users/test-support/test-store.ts'
import { createAuditLog } from '../../../records/audit-log/audit-log.ts'
import { recordUpgrade } from '../../../records/audit-log/record-upgrade.ts'
import { consoleFixture } from '../test-support/console-fixture.ts'

afterAll(closeTestStores)

async function withTwoOwners() {
  const fixture = await consoleFixture({})
  const owner = await fixture.createUser({})
  const other = await fixture.createUser({})
  const ask = async (who: typeof owner, method: string, path: string, body?: unknown) => {
    const headers = await fixture.loggedIn(who)
    return (await fixture.send(method, path, { headers, ...(body !== undefined && { body }) })).envelope
  }
  const addKey = async (who: typeof owner, fields: object) =>
    (await ask(who, 'POST', '/api/token/', { remain_quota: 100, ...fields })).data as { readonly id: number }
  const overview = async (who: typeof owner) =>
    (await ask(who, 'GET', '/api/user/self/overview')).data as OwnOverview
  return { ...fixture, owner, other, addKey, overview }
}

const names = (keys: readonly { readonly name: string }[]) => keys.map(({ name }) => name)

describe('the overview of the own account', () => {
  it('shows balance, number of keys, and the keys that are spent or end first', async () => {
    const { owner, addKey, overview, time } = await withTwoOwners()
    const now = Math.floor(time.ms / 1000)
    await addKey(owner, { name: 'spent', remain_quota: 0 })
    await addKey(owner, { name: 'ends later', expired_time: now + 9_000, remain_quota: 5 })
    await addKey(owner, { name: 'ends soon', expired_time: now + 60, remain_quota: 50 })
    const { quota, request_count, keys } = await overview(owner)
    expect({ quota, request_count, total: keys.total }).toEqual({
      quota: owner.quota,
      request_count: 0,
      total: 3,
    })
    expect(names(keys.exhausted)).toEqual(['spent'])
    expect(keys.expired).toEqual([])
    expect(names(keys.ends_first)).toEqual(['ends soon', 'ends later'])
    expect(JSON.stringify(keys)).not.toContain('"key"')
    expect(names(keys.least_left)).toEqual(['ends later', 'ends soon'])
  })

  it('shows a frozen key as frozen alone, whatever else it is', async () => {
    const { owner, addKey, overview, store } = await withTwoOwners()
    const { id } = await addKey(owner, { name: 'found in public', remain_quota: 0 })
    await store.tokens.freeze(id, { frozenAt: 1, freezeCause: 'leak', freezeNote: '' })
    const { keys } = await overview(owner)
    expect(names(keys.frozen ?? [])).toEqual(['found in public'])
    expect([keys.exhausted, keys.ends_first, keys.least_left]).toEqual([[], [], []])
  })

  it('shows root alone a proxy that forwards without being trusted', async () => {
    const fixture = await consoleFixture({})
    const root = await fixture.createUser({ role: 'root' })
    const admin = await fixture.createUser({ role: 'admin' })
    const proxyOf = async (who: typeof root, headers: object = {}, from = '172.17.0.1') => {
      const sent = { headers: { ...(await fixture.loggedIn(who)), ...headers }, from }
      const { data } = (await fixture.send('GET', '/api/user/self/overview', sent)).envelope
      return (data as OwnOverview).untrusted_proxy
    }
    expect(await proxyOf(root)).toBe('')
    expect(await proxyOf(root, { 'x-forwarded-for': '203.0.113.9' })).toBe('172.17.0.1')
    expect(await proxyOf(root)).toBe('172.17.0.1')
    expect(await proxyOf(admin)).toBe('')
  })

  it('shows root alone what was found in journals within 30 days', async () => {
    const fixture = await consoleFixture({})
    const foundAt = Math.floor(fixture.time.ms / 1000)
    const finding = { node: 'n', kind: 'damage', files: '1.damaged-1', atLeast: 1, atMost: 3 } as const
    await fixture.store.journalFindings.add([
      { ...finding, id: 'now', foundAt },
      { ...finding, id: 'long ago', foundAt: foundAt - 31 * 86_400 },
    ])
    const visibleTo = async (role: 'root' | 'admin') => {
      const sent = { headers: await fixture.loggedIn(await fixture.createUser({ role })) }
      const { data } = (await fixture.send('GET', '/api/user/self/overview', sent)).envelope
      return (data as OwnOverview).journal
    }
    expect(await visibleTo('admin')).toEqual([])
    expect(await visibleTo('root')).toEqual([
      {
        id: 'now',
        node: 'n',
        kind: 'damage',
        files: '1.damaged-1',
        at_least: 1,
        at_most: 3,
        found_at: foundAt,
      },
    ])
  })

  it('shows root alone that the database is damaged, and that the journal waits', async () => {
    const fixture = await consoleFixture({})
    const healthOf = async (role: 'root' | 'admin') => {
      const sent = { headers: await fixture.loggedIn(await fixture.createUser({ role })) }
      const { data } = (await fixture.send('GET', '/api/user/self/overview', sent)).envelope
      return (data as OwnOverview).health
    }
    expect(await healthOf('root')).toEqual([])
    fixture.store.damage = () => ({ foundMs: 1, message: 'malformed' })
    expect(await healthOf('admin')).toEqual([])
    expect(await healthOf('root')).toEqual([{ code: 'database-damaged', database: 'sqlite', waiting: 0 }])
  })

  it('shows root alone the upgrades of the last week', async () => {
    const fixture = await consoleFixture({})
    const record = {
      before: {
        program: { version: '', commit: '9ab5baa56046' },
        applied: ['0007-log-spans'],
        oldestProgram: '',
      },
      ran: ['0008-costs'],
      copy: { file: '/data/upgrade-copies/one.db', hasLog: false },
      waitsForNodes: false,
    }
    const clock = { now: () => fixture.time.ms }
    const prices = [{ model: 'gpt-5.9', charged: 8, stored: 2 }]
    await recordUpgrade(record, prices, {
      node: 'n',
      auditLog: createAuditLog({ store: fixture.store, clock }),
    })
    const upgradesFor = async (role: 'root' | 'admin') => {
      const sent = { headers: await fixture.loggedIn(await fixture.createUser({ role })) }
      const { data } = (await fixture.send('GET', '/api/user/self/overview', sent)).envelope
      return (data as OwnOverview).upgrades
    }
    expect(await upgradesFor('admin')).toEqual([])
    expect(await upgradesFor('root')).toMatchObject([
      {
        from: { version: '', commit: '9ab5baa56046', schema: '0007-log-spans' },
        migrations: ['0008-costs'],
        copy: '/data/upgrade-copies/one.db',
        prices,
      },
    ])
  })

  it('holds nothing of others', async () => {
    const { owner, other, addKey, overview } = await withTwoOwners()
    await addKey(other, { name: 'of another' })
    const { keys } = await overview(owner)
    expect(keys).toEqual({
      ...{ total: 0, frozen: [], exhausted: [], expired: [] },
      ...{ more_frozen: 0, more_exhausted: 0, more_expired: 0 },
      ...{ ends_first: [], least_left: [] },
    })
  })
})
