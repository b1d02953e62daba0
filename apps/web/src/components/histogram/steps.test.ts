import { describe, expect, it } from 'bun:test'
import { zoneOf } from '@tollgate/api/calendar'
import { positionOf, stepAt, sumOfSteps, ticksOf, timesOfBrush } from './steps.ts'

const midnight = Date.UTC(2026, 10, 25) / 1000
const histogram = (count: number, step_seconds: number) => ({
  step_seconds,
  steps: Array.from({ length: count }, (_, index) => ({
    at: midnight + index * step_seconds,
    calls: index,
    errors: 1,
  })),
})

describe('a brush over the histogram', () => {
  it('covers the first to the last second of its steps, whichever was chosen first', () => {
    const chart = histogram(10, 60)
    const times = { from: midnight + 120, to: midnight + 299 }
    expect(timesOfBrush(chart, { anchor: 2, end: 4 })).toEqual(times)
    expect(timesOfBrush(chart, { anchor: 4, end: 2 })).toEqual(times)
    expect(timesOfBrush({ ...chart, steps: [] }, { anchor: 0, end: 0 })).toBeUndefined()
  })

  it('covers a day of 25 hours', () => {
    const days = [midnight, midnight + 25 * 3600].map((at) => ({ at, calls: 0, errors: 0 }))
    const chart = { step_seconds: 86_400, steps: days }
    expect(timesOfBrush(chart, { anchor: 0, end: 0 })).toEqual({
      from: midnight,
      to: midnight + 25 * 3600 - 1,
    })
    expect(positionOf(chart, midnight + 12.5 * 3600)).toBe(0.25)
  })

  it('ends at the ends of the chart', () => {
    const { steps } = histogram(10, 60)
    expect([-0.2, 0, 0.55, 1, 1.4].map((position) => stepAt(steps, position))).toEqual([0, 0, 5, 9, 9])
  })
})

it('knows where a moment stands', () => {
  const chart = histogram(10, 60)
  expect([0, 150, 600, 601, -1].map((seconds) => positionOf(chart, midnight + seconds))).toEqual([
    0,
    0.25,
    1,
    undefined,
    undefined,
  ])
})

it('sums its steps', () => {
  expect(sumOfSteps(histogram(4, 60).steps)).toEqual({ calls: 6, errors: 4 })
})

describe('ticks', () => {
  it('are a few round times', () => {
    const indexes = (count: number, seconds: number, utcOffset = 0) =>
      ticksOf(histogram(count, seconds), zoneOf({ utc_offset: utcOffset / 60 })).map(({ index }) => index)
    expect(indexes(60, 60)).toEqual([0, 10, 20, 30, 40, 50])
    expect(indexes(96, 900)).toEqual([0, 24, 48, 72])
    expect(indexes(84, 7200)).toEqual([0, 12, 24, 36, 48, 60, 72])
    expect(indexes(96, 900, 1800)).toEqual([22, 46, 70, 94])
  })
})
