import { describe, expect, it } from 'bun:test'
import { ticksOf, timelineOf } from './timeline.ts'

const failed = { channel: 1, key: 0, ms: 3, status: 500, kind: 'upstream_bug' }
const limited = { channel: 2, key: 0, ms: 2, status: 429, kind: 'rate_limited' }
const worked = { channel: 3, key: 0, ms: 483, status: 200, kind: 'ok' }
const timing = { routed: 1, sent: 8, first_token: 491, done: 672 }

const spans = (...provided: Parameters<typeof timelineOf>) =>
  timelineOf(...provided).stretches.map(({ kind, start, end }) => [kind, start, end])

describe('timelineOf', () => {
  it('lays the attempts before the last one back to back, ending where it was sent', () => {
    expect(spans(timing, [failed, limited, worked])).toEqual([
      ['route', 0, 1],
      ['attempt', 3, 6],
      ['attempt', 6, 8],
      ['attempt', 8, 491],
      ['response', 491, 672],
    ])
  })

  it('tells people who may not see the attempts how long they waited', () => {
    expect(spans(timing, [])).toEqual([
      ['route', 0, 8],
      ['wait', 8, 491],
      ['response', 491, 672],
    ])
  })

  it('has no response stretch when everything arrived together', () => {
    expect(spans({ routed: 0, sent: 1, first_token: 20, done: 20 }, [{ ...worked, ms: 19 }])).toEqual([
      ['route', 0, 0],
      ['attempt', 1, 20],
    ])
  })

  it('never draws outside the call, whatever a row claims', () => {
    const odd = timelineOf({ routed: 900, sent: -5, first_token: 9000, done: 100 }, [
      { ...failed, ms: 5000 },
      { ...worked, ms: -3 },
    ])
    for (const { start, end } of odd.stretches) {
      expect(start).toBeGreaterThanOrEqual(0)
      expect(end).toBeGreaterThanOrEqual(start)
      expect(end).toBeLessThanOrEqual(odd.totalMs)
    }
  })
})

describe('ticksOf', () => {
  it.each([
    [672, [0, 200, 400, 600]],
    [2961, [0, 1000, 2000]],
    [4, [0, 1, 2, 3, 4]],
    [1, [0, 1]],
    [0, [0]],
    [93_000, [0, 20_000, 40_000, 60_000, 80_000]],
    [312_000, [0, 120_000, 240_000]],
    [40_000_000, [0, 40_000_000]],
  ])('marks %d ms at round times', (total, ticks) => {
    expect(ticksOf(total)).toEqual(ticks)
  })
})
