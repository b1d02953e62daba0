import { describe, expect, it } from 'bun:test'
import { logTypes } from '@tollgate/api'
import { typicalDurations } from './duration.ts'

const call = (model_name: string, use_time: number, type: number = logTypes.consumption) => ({
  entry: { type, model_name, use_time },
  other: {},
})

describe('typical durations', () => {
  it('are the medians of the models with enough calls', () => {
    const slow = [1, 2, 3, 90, 4].map((seconds) => call('slow', seconds))
    expect([...typicalDurations([...slow, call('rare', 7)])]).toEqual([['slow', 3000]])
  })

  it('leave failed calls out, and prefer exact times', () => {
    const exact = { ...call('a', 9), other: { timing: { routed: 0, sent: 0, first_token: 0, done: 250 } } }
    const failed = call('a', 60, logTypes.error)
    expect(typicalDurations([exact, exact, exact, exact, exact, failed, failed]).get('a')).toBe(250)
    expect(typicalDurations([exact, exact, failed, failed, failed]).size).toBe(0)
  })
})
