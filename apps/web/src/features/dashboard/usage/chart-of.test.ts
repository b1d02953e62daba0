import { describe, expect, it } from 'bun:test'
import type { UsageRow } from '@tollgate/api'
import { chartOf } from './chart-of.ts'

const row = (model_name: string, created_at: number, quota: number, count = 1): UsageRow => ({
  id: 1,
  user_id: 0,
  username: '',
  model_name,
  created_at,
  token_used: 10,
  count,
  quota,
})
const rows = [row('small', 3600, 5, 9), row('large', 3600, 50), row('large', 7200, 40), row('small', 7200, 1)]

describe('the chart of usage', () => {
  it('adds up to what the rows say, in whatever it shows', () => {
    const chart = chartOf(rows, [0, 3600, 7200], 'hour', 'cost')
    expect(chart.values).toEqual([90, 6])
    expect(chart.totals).toEqual({ cost: 96, calls: 12, tokens: 40 })
    expect(chart.steps.map(({ values }) => values)).toEqual([
      [0, 0],
      [50, 5],
      [40, 1],
    ])
  })

  it('keeps the colour of a model when it shows something else', () => {
    const cost = chartOf(rows, [3600], 'hour', 'cost')
    const calls = chartOf(rows, [3600], 'hour', 'calls')
    expect(calls.series).toEqual(cost.series)
    expect(calls.values).toEqual([2, 10])
  })
})
