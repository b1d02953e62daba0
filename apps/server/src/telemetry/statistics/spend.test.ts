import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import type { SpendLines } from '../../store/log/spend/spend-lines.ts'
import type { SpendPage, SpendQuery } from '../../store/log/spend/spend-page.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'
import { createSpend, saveSpend } from './spend.ts'
import { type NamedUsers, spendPieces } from './spend-file.ts'

const now = 1_800_000_000
const day = 86_400

const noLines: SpendLines = { models: [], numbers: new Float64Array() }
const figures = { count: 2, tokens: 7 }

function setUp({ models = [], rows = [], total }: Partial<SpendPage> = {}, lines: SpendLines = noLines) {
  const requested: SpendQuery[] = []
  const read: number[][] = []
  const order: string[] = []
  const names = new Map([
    [1, '=cmd'],
    [2, 'bob'],
  ])
  const users: NamedUsers = {
    listByIds: async (ids) =>
      new Map(ids.flatMap((id) => (names.has(id) ? [[id, { username: names.get(id) ?? '' }]] : []))),
  }
  const spendLines: StatisticsRepository['spendLines'] = async (_times, userIds) => {
    read.push([...userIds])
    return lines
  }
  const spend = createSpend({
    statistics: {
      async spend(query) {
        order.push('read')
        requested.push(query)
        return { models, rows, total: total ?? { users: 0, count: 0, tokens: 0, quota: 0, byModel: [] } }
      },
      spenders: async () => Float64Array.of(1, 3),
    },
    users,
    spendFile: (file) => spendPieces({ statistics: { spendLines }, users }, file),
    ledger: {
      flush: async () => {
        order.push('flush')
      },
    },
    settings: { current: defaults },
    clock: { now: () => now * 1000 },
  })
  return { ...spend, requested, read, order }
}

const page = { offset: 0, limit: 50 }

describe('what users spent', () => {
  it('is a row per user and a column per dear model, with the total of all', async () => {
    const total = { users: 3, count: 8, tokens: 28, quota: 116, byModel: [110, 5] }
    const { table, order, requested } = setUp({
      models: ['a', 'b'],
      rows: [
        { userId: 2, ...figures, quota: 100, byModel: [100, 0] },
        { userId: 3, ...figures, quota: 1, byModel: [0, 0] },
      ],
      total,
    })
    expect(await table({}, page)).toEqual({
      models: ['a', 'b'],
      rows: [
        { user_id: 2, username: 'bob', count: 2, token_used: 7, quota: 100, by_model: [100, 0] },
        { user_id: 3, username: '', count: 2, token_used: 7, quota: 1, by_model: [0, 0] },
      ],
      total: { users: 3, count: 8, token_used: 28, quota: 116, by_model: [110, 5] },
    })
    expect(order).toEqual(['flush', 'read'])
    expect(requested).toEqual([expect.objectContaining({ ...page, columns: 6 })])
  })

  it('is of the last 30 days unless asked otherwise, and of a year at most', async () => {
    const { table, requested } = setUp()
    expect((await table({}, page)).total).toEqual({
      users: 0,
      count: 0,
      token_used: 0,
      quota: 0,
      by_model: [],
    })
    await table({ start_timestamp: 5, end_timestamp: 8000 }, page)
    expect(requested.map(({ from, end }) => [from, end])).toEqual([
      // Quarter hours that begin between them, and the hour that begins with the end.
      [now - 30 * day, now + 3600],
      [900, 8100],
    ])
    const tooLong = await table({ start_timestamp: now - 367 * day }, page).catch((error: unknown) => error)
    expect(tooLong).toBeInstanceOf(Refusal)
  })

  it('is exported by user and model, in currency too, and runs no formula of a name', async () => {
    const spend = setUp(
      {},
      {
        models: ['b', 'a', '-m'],
        numbers: Float64Array.of(1, 0, 2, 3, 4, 750_000, 1, 1, 2, 3, 4, 500_000, 3, 2, 2, 3, 4, 1),
      },
    )
    let text = ''
    for await (const piece of spend.export({}, 'en')) text += piece
    expect(text.split('\r\n')).toEqual([
      '\uFEFFUser ID,User,Model,Calls,Prompt tokens,Completion tokens,Amount (USD),Amount (units)',
      "1,'=cmd,b,2,3,4,1.5,750000",
      "1,'=cmd,a,2,3,4,1,500000",
      "3,,'-m,2,3,4,0.000002,1",
      '',
    ])
    expect(spend.read).toEqual([[1, 3]])
  })
})

it('saves the sums of the month and of the default time, up to now', async () => {
  const saved: unknown[] = []
  const statistics = { saveSpend: async (...args: unknown[]) => void saved.push(args) }
  await saveSpend({ statistics, clock: { now: () => now * 1000 } })
  const end = now + 3600
  expect(saved).toEqual([
    ['month', { from: Date.UTC(2027, 0, 1) / 1000, end }, 6],
    ['thirty-days', { from: now - 30 * day, end }, 6],
  ])
})
