import { describe, expect, it } from 'bun:test'
import type { CallsOfModel } from '../../store/channels/read-attempt-counts.ts'
import { createModelPerformance, performanceOf } from './model-performance.ts'

const calls = (model: string, outcome: CallsOfModel['outcome'], count: number): CallsOfModel => ({
  model,
  outcome,
  isToday: true,
  count,
})
const stream = (model: string, first_token: number, done: number, completionTokens = 101) => ({
  model,
  isStream: true,
  completionTokens,
  other: JSON.stringify({ timing: { routed: 1, sent: 2, first_token, done } }),
})
const many = <Row>(count: number, make: (index: number) => Row) =>
  Array.from({ length: count }, (_, index) => make(index))

describe('the performance of a model', () => {
  it('is what callers received, without failures of their own', () => {
    const counted = [
      calls('a', 'ok', 90),
      calls('a', 'upstream', 6),
      calls('a', 'broken', 4),
      calls('a', 'caller', 500),
      calls('a', 'balance', 500),
      calls('rare', 'ok', 4),
    ]
    expect(performanceOf(counted, [])).toEqual([{ model_name: 'a', availability: 0.9 }])
  })

  it('has the medians of streams, where there are enough', () => {
    const rows = [
      ...many(5, (index) => stream('a', 100 * (index + 1), 100 * (index + 1) + 1000)),
      ...many(4, () => stream('rare', 100, 200)),
      ...many(9, () => ({ ...stream('buffered', 100, 200), isStream: false })),
      ...many(9, () => ({ ...stream('odd', 100, 200), other: 'no JSON' })),
    ]
    expect(performanceOf([], rows)).toEqual([
      { model_name: 'a', first_token_ms: 300, tokens_per_second: 100 },
    ])
  })

  it('is read once in ten minutes, and again after a read that failed', async () => {
    let [now, reads] = [0, 0]
    const read = createModelPerformance({
      attemptCounts: { calls: async () => [] },
      usage: {
        async batch() {
          reads += 1
          if (reads === 1) throw new Error('gone')
          return { rows: [], next: undefined } as never
        },
      },
      writeAttempts: async () => {},
      clock: { now: () => now },
    })
    await expect(read()).rejects.toThrow('gone')
    await Promise.all([read(), read()])
    expect(reads).toBe(2)
    now += 600_000
    await read()
    expect(reads).toBe(3)
  })
})
