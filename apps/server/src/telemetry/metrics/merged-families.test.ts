import { describe, expect, it } from 'bun:test'
import { counter, type Family, gauge } from './family.ts'
import { familiesOf, mergedFamilies, retainedFamilies } from './merged-families.ts'

const calls = (value: number, outcome = 'ok') => counter('calls_total', 'c', [{ labels: { outcome }, value }])
const duration = (counts: readonly number[], sum: number): Family => ({
  name: 'seconds',
  help: 'd',
  type: 'histogram',
  bounds: [1],
  points: [{ labels: { model: 'm' }, counts, sum }],
})

describe('the figures of several processes', () => {
  it('are summed where each has its own, and one value where all see the same', () => {
    const each = (own: number, ready: number): readonly Family[] => [
      calls(own),
      gauge('in_flight', 'g', 'sum', own),
      gauge('ready', 'g', 'min', ready),
      gauge('late', 'g', 'max', own),
    ]
    const merged = mergedFamilies([each(2, 1), each(5, 0), [calls(1, 'failed')]])
    expect(merged.map(({ name }) => name)).toEqual(['calls_total', 'in_flight', 'ready', 'late'])
    expect(merged.map((family) => (family.type === 'histogram' ? [] : family.samples))).toEqual([
      [
        { labels: { outcome: 'ok' }, value: 7 },
        { labels: { outcome: 'failed' }, value: 1 },
      ],
      [{ labels: {}, value: 7 }],
      [{ labels: {}, value: 0 }],
      [{ labels: {}, value: 5 }],
    ])
  })

  it('add up bucket by bucket', () => {
    expect(mergedFamilies([[duration([1, 2], 5)], [duration([3, 4], 7)]])).toEqual([duration([4, 6], 12)])
    // Another version of the program counts other buckets.
    expect(mergedFamilies([[duration([1, 2], 5)], [duration([3, 4, 5], 7)]])).toEqual([duration([1, 2], 5)])
  })

  it('stay in a sum when a process has ended, except what it has no more', () => {
    const stays = retainedFamilies(
      [calls(3)],
      [calls(4), gauge('in_flight', 'g', 'sum', 9), duration([1, 0], 1)],
    )
    expect(stays).toEqual([calls(7), duration([1, 0], 1)])
    expect(familiesOf('nothing of ours')).toEqual([])
  })
})
