import { describe, expect, it } from 'bun:test'
import { logs } from '@tollgate/api'
import { noMessages } from '../../../fleet/messages.ts'
import type { AuditEvent, AuditLog } from '../../../records/audit-log/audit-log.ts'
import { LogClearer } from '../../../records/logs/clear-log.ts'
import { createLogExport } from '../../../records/logs/export-log.ts'
import { createLogOverview } from '../../../records/logs/log-overview.ts'
import { logRow, usageInMemory } from '../../../records/logs/test-support/usage-in-memory.ts'
import { createUsageLog } from '../../../records/logs/usage-log.ts'
import { adminCaller, callRoute, commonCaller } from '../test-support/call-route.ts'
import { logRoutes } from './log-routes.ts'

async function setUp() {
  const usage = usageInMemory()
  await usage.append([logRow({ userId: commonCaller.userId, quota: 5 }), logRow({ userId: 9, quota: 7 })])
  const clock = { now: () => 1_700_000_030_000 }
  const users = { idsByUsername: async () => [9] }
  const channelName = () => 'main'
  const settings = { current: { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 } }
  const auditEvents: AuditEvent[] = []
  const auditLog: AuditLog = {
    record: async (_, act) => void auditEvents.push(act),
    recordAll: async (_, all) => void auditEvents.push(...all),
  }
  const routes = logRoutes({
    usageLog: createUsageLog({ usage, users, channelName, clock, settings }),
    logOverview: createLogOverview({ usage, users, channelName, clock }),
    logExport: createLogExport({ usage, users, channelName, settings }),
    clearer: new LogClearer({
      usage,
      auditLog,
      clock,
      node: 'here',
      leases: { take: async ([name = '']) => [{ name, sinceRunMs: undefined }], give: async () => undefined },
      messages: noMessages,
      logger: { warn: () => undefined },
    }),
    failedCalls: { find: async () => undefined },
    settings,
    clock,
  })
  return Object.assign(routes, { auditEvents, usage })
}

describe('log calls', () => {
  it('answer administrators with every row, in the shape of the contract', async () => {
    const query = logs.list.query.parse({ p: '0', page_size: '', type: '', start_timestamp: 'NaN' })
    const data = await callRoute(await setUp(), logs.list, { query }, adminCaller)
    expect(logs.list.data.parse(data)).toEqual(data)
    expect(data).toMatchObject({ total: 2, page: 1, page_size: 10 })
  })

  it('return users their own rows alone, whichever user they ask about', async () => {
    const query = logs.listSelf.query.parse({ p: '1', username: 'someone', user_id: '9' })
    const data = await callRoute(await setUp(), logs.listSelf, { query }, commonCaller)
    expect(data.items.map((item) => item.quota)).toEqual([5])
  })

  it('return the steps and failures of everyone, of a name, and of oneself, in the shape of the contract', async () => {
    const routes = await setUp()
    await routes.usage.append([
      logRow({ userId: commonCaller.userId, type: 'error', createdAt: 1_700_000_010 }),
    ])
    const errorsOf = ({ steps }: { steps: readonly { errors: number }[] }) =>
      steps.reduce((sum, { errors }) => sum + errors, 0)
    const steps = { query: logs.histogram.query.parse({ utc_offset: '60' }) }
    const all = await callRoute(routes, logs.histogram, steps, adminCaller)
    expect(logs.histogram.data.parse(all)).toEqual(all)
    const named = { query: { ...steps.query, username: 'someone' } }
    const ofName = await callRoute(routes, logs.histogram, named, adminCaller)
    const own = await callRoute(routes, logs.histogramSelf, steps, commonCaller)
    expect([all, ofName, own].map(errorsOf)).toEqual([1, 0, 1])
    const failures = await callRoute(
      routes,
      logs.failures,
      { query: logs.failures.query.parse({}) },
      adminCaller,
    )
    expect(logs.failures.data.parse(failures)).toEqual(failures)
    expect(failures.groups.map(({ channel, channel_name }) => [channel, channel_name])).toEqual([[7, 'main']])
    const ownQuery = { query: logs.failuresSelf.query.parse({ channel: '9' }) }
    const ownFailures = await callRoute(routes, logs.failuresSelf, ownQuery, commonCaller)
    expect(ownFailures.groups.map(({ channel, channel_name }) => [channel, channel_name])).toEqual([[0, '']])
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

  it('answer searches with the rows, how many there are, and nobody else’s to users', async () => {
    const routes = await setUp()
    await routes.usage.append([
      logRow({ userId: 9, type: 'system', content: 'welcome' }),
      logRow({ userId: commonCaller.userId, type: 'error', content: 'welcome too' }),
    ])
    const found = async (call: typeof logs.search | typeof logs.searchSelf, keyword: string) => {
      const query = call.query.parse({ keyword })
      return (await callRoute(routes, call, { query }, commonCaller)).map(({ content, type }) => [
        type,
        content,
      ])
    }
    expect(await found(logs.search, 'wel')).toEqual([
      [5, 'welcome too'],
      [4, 'welcome'],
    ])
    expect(await found(logs.searchSelf, 'wel')).toEqual([[5, 'welcome too']])
    expect(await found(logs.search, '2')).toHaveLength(2)
    expect(await found(logs.searchSelf, '2')).toHaveLength(1)
    expect(await found(logs.searchSelf, '4')).toEqual([])
  })

  it('clear what is older, answer how many, and are written down before and after', async () => {
    const routes = await setUp()
    await routes.usage.append([logRow({ createdAt: 100 }), logRow({ createdAt: 200 })])
    const query = { target_timestamp: 200 }
    expect(await callRoute(routes, logs.clear, { query }, adminCaller)).toBe(1)
    expect(routes.usage.rows.map(({ createdAt }) => createdAt)).not.toContain(100)
    expect(routes.auditEvents.map(({ action, after }) => [action, after])).toEqual([
      ['log.clear', { target_timestamp: 200 }],
      ['log.clear', { target_timestamp: 200, deleted: 1, cancelled: false, failed: false }],
    ])
    const progress = await callRoute(routes, logs.clearProgress, {}, adminCaller)
    expect(logs.clearProgress.data.parse(progress)).toMatchObject({ running: false, deleted: 1 })
  })

  it('return an export of everybody’s log with its record, which has its filters', async () => {
    const routes = await setUp()
    const bound = routes.find(({ call }) => call === logs.export)
    const query = logs.export.query.parse({ username: 'bob', type: '2' })
    const file = await bound?.handle({ query } as never, { language: 'en' } as never)
    expect(file).toMatchObject({ exported: { action: 'log.export', after: { username: 'bob', type: 2 } } })
  })
})
