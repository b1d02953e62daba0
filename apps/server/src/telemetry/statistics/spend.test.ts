import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import type { SpendRow } from '../../store/log/statistics.ts'
import { createSpend } from './spend.ts'

const now = 1_800_000_000
const day = 86_400

function row(userId: number, model: string, quota: number): SpendRow {
  return { userId, model, quota, count: 2, promptTokens: 3, completionTokens: 4 }
}

function setUp(rows: readonly SpendRow[]) {
  const requested: [number, number][] = []
  const order: string[] = []
  const names = new Map([
    [1, '=cmd'],
    [2, 'bob'],
  ])
  const spend = createSpend({
    statistics: {
      spend: async (from, to) => {
        order.push('read')
        requested.push([from, to])
        return rows
      },
    },
    users: {
      listByIds: async (ids) =>
        new Map(ids.flatMap((id) => (names.has(id) ? [[id, { username: names.get(id) ?? '' }]] : []))),
    },
    ledger: {
      flush: async () => {
        order.push('flush')
      },
    },
    settings: { current: defaults },
    clock: { now: () => now * 1000 },
  })
  return { ...spend, requested, order }
}

const page = { offset: 0, limit: 50 }

describe('what users spent', () => {
  it('is a row per user and a column per dear model, with totals over all pages', async () => {
    const rows = [row(1, 'a', 10), row(1, 'b', 5), row(2, 'a', 100), row(3, 'c', 1)]
    const { table, order } = setUp(rows)
    const first = await table({}, { offset: 0, limit: 2 })
    expect(order).toEqual(['flush', 'read'])
    expect(first.models).toEqual(['a', 'b', 'c'])
    expect(first.rows).toEqual([
      { user_id: 2, username: 'bob', count: 2, token_used: 7, quota: 100, by_model: [100, 0, 0] },
      { user_id: 1, username: '=cmd', count: 4, token_used: 14, quota: 15, by_model: [10, 5, 0] },
    ])
    const total = { users: 3, count: 8, token_used: 28, quota: 116, by_model: [110, 5, 1] }
    expect(first.total).toEqual(total)
    const second = await table({}, { offset: 2, limit: 2 })
    expect(second.rows).toEqual([
      { user_id: 3, username: '', count: 2, token_used: 7, quota: 1, by_model: [0, 0, 1] },
    ])
    expect(second.total).toEqual(total)
  })

  it('has columns for six models at most; the rest of a row went to others', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => row(1, `m${at}`, 100 - at))
    const { models, rows: [only] = [], total } = await setUp(rows).table({}, page)
    expect(models).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5'])
    expect(only?.by_model.reduce((sum, each) => sum + each, 0)).toBe(total.quota - 94 - 93 - 92 - 91)
  })

  it('is of the last 30 days unless asked otherwise, and of a year at most', async () => {
    const { table, requested } = setUp([])
    expect((await table({}, page)).total).toEqual({
      users: 0,
      count: 0,
      token_used: 0,
      quota: 0,
      by_model: [],
    })
    await table({ start_timestamp: 5, end_timestamp: 8000 }, page)
    expect(requested).toEqual([
      // Quarter hours that begin between them, and the hour that begins with the end.
      [now - 30 * day, now + 3600],
      [900, 8100],
    ])
    const tooLong = await table({ start_timestamp: now - 367 * day }, page).catch((error: unknown) => error)
    expect(tooLong).toBeInstanceOf(Refusal)
  })

  it('is exported by user and model, in currency too, and runs no formula of a name', async () => {
    const spend = setUp([row(1, 'a', 500_000), row(1, 'b', 750_000), row(3, '-m', 1)])
    let text = ''
    for await (const piece of spend.export({}, 'en')) text += piece
    expect(text.split('\r\n')).toEqual([
      '\uFEFFUser ID,User,Model,Calls,Prompt tokens,Completion tokens,Quota,Amount (USD)',
      "1,'=cmd,b,2,3,4,750000,1.5",
      "1,'=cmd,a,2,3,4,500000,1",
      "3,,'-m,2,3,4,1,0.000002",
      '',
    ])
  })
})
