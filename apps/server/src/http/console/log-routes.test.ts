import { describe, expect, it } from 'bun:test'
import { logs } from '@tollgate/api'
import { logRow, usageInMemory } from '../../logs/test-support/usage-in-memory.ts'
import { createUsageLog } from '../../logs/usage-log.ts'
import { logRoutes } from './log-routes.ts'
import { adminCaller, callRoute, commonCaller } from './test-support/call-route.ts'

async function setUp() {
  const usage = usageInMemory()
  await usage.append([logRow({ userId: commonCaller.userId, quota: 5 }), logRow({ userId: 9, quota: 7 })])
  const usageLog = createUsageLog({
    usage,
    users: { idsByUsername: async () => [9] },
    channelName: () => 'main',
    clock: { now: () => 1_700_000_030_000 },
  })
  return logRoutes({ usageLog })
}

describe('log calls', () => {
  it('answer administrators with every row, in the shape of the contract', async () => {
    const query = logs.list.query.parse({ p: '0', page_size: '', type: '', start_timestamp: 'NaN' })
    const data = await callRoute(await setUp(), logs.list, { query }, adminCaller)
    expect(logs.list.data.parse(data)).toEqual(data)
    expect(data).toMatchObject({ total: 2, page: 1, page_size: 10 })
  })

  it('answer users with their own rows, whoever they ask about', async () => {
    const query = logs.listSelf.query.parse({ p: '1', username: 'someone', user_id: '9' })
    const data = await callRoute(await setUp(), logs.listSelf, { query }, commonCaller)
    expect(data.items.map((item) => item.quota)).toEqual([5])
  })

  it('answer statistics of everyone, of a name, and of oneself', async () => {
    const routes = await setUp()
    const everyone = logs.stat.query.parse({})
    const named = logs.stat.query.parse({ username: 'someone' })
    const own = logs.statSelf.query.parse({ username: 'someone' })
    expect(await callRoute(routes, logs.stat, { query: everyone }, adminCaller)).toEqual({
      quota: 12,
      rpm: 2,
      tpm: 14,
    })
    expect(await callRoute(routes, logs.stat, { query: named }, adminCaller)).toEqual({
      quota: 7,
      rpm: 1,
      tpm: 7,
    })
    expect(await callRoute(routes, logs.statSelf, { query: own }, commonCaller)).toEqual({
      quota: 5,
      rpm: 1,
      tpm: 7,
    })
  })
})
