import { describe, expect, it } from 'bun:test'
import { backOff, pollPause } from './poll-pause.ts'

const steady = { count: 10, batch: 100, youngestMs: 300_000, unchangedPolls: 0 }
const pause = (change: Partial<typeof steady>) => pollPause({ ...steady, ...change }, 15_000)

describe('the pause between two questions', () => {
  it('is a round, shorter for young tasks, longer for quiet ones', () => {
    expect(pause({})).toBe(15_000)
    expect(pause({ youngestMs: 5000 })).toBe(3000)
    expect(pause({ unchangedPolls: 8 })).toBe(30_000)
    expect(pause({ youngestMs: 5000, count: 10_000, batch: 10_000 })).toBe(15_000)
  })

  it('shares a round among tasks that one question cannot name', () => {
    expect(pause({ batch: 1 })).toBe(1500)
    expect(pause({ batch: 1, count: 10_000 })).toBe(100)
    expect(pause({ batch: 100, count: 1000 })).toBe(1500)
  })
})

it('what fails is left alone longer each time, up to five minutes', () => {
  expect([1, 2, 3, 50].map((failures) => backOff(failures, 15_000))).toEqual([
    30_000, 60_000, 120_000, 300_000,
  ])
})
