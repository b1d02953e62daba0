import { describe, expect, it } from 'bun:test'
import { zoneOf } from '@tollgate/api/calendar'
import { granularityOf, rangeOfSteps } from './steps.ts'

const at = (text: string) => Date.parse(text) / 1000
const text = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16)
const rangeIn = (time_zone: string, granularity: 'hour' | 'day' | 'week', from: string, to: string) => {
  const range = { from: at(from), to: at(to) }
  const visible = rangeOfSteps(range, granularity, zoneOf({ utc_offset: 0, time_zone }))
  return { from: text(visible.from), end: text(visible.end), starts: visible.starts.map(text) }
}

describe('steps of the reader’s clock', () => {
  it('are the hours that begin in a range', () => {
    expect(rangeIn('UTC', 'hour', '2026-11-22T10:20:00Z', '2026-11-22T12:40:00Z')).toEqual({
      from: '2026-11-22T11:00',
      end: '2026-11-22T13:00',
      starts: ['2026-11-22T11:00', '2026-11-22T12:00'],
    })
    expect(rangeIn('Asia/Kolkata', 'hour', '2026-11-21T18:30:00Z', '2026-11-21T19:10:00Z')).toEqual({
      from: '2026-11-21T18:30',
      end: '2026-11-21T19:30',
      starts: ['2026-11-21T18:30'],
    })
  })

  it('are days of which the first and the last may be shown in part', () => {
    expect(rangeIn('Asia/Kathmandu', 'day', '2026-11-22T10:20:00Z', '2026-11-22T18:20:00Z')).toEqual({
      from: '2026-11-22T10:30',
      end: '2026-11-22T18:30',
      starts: ['2026-11-21T18:15', '2026-11-22T18:15'],
    })
    expect(rangeIn('UTC', 'week', '2026-11-22T17:00:00Z', '2026-11-22T17:00:00Z').starts).toEqual([
      '2026-11-16T00:00',
    ])
  })

  it('are none where nothing begins in a range', () => {
    expect(rangeIn('UTC', 'hour', '2026-11-22T10:20:00Z', '2026-11-22T10:40:00Z').from).toBe(
      '2026-11-22T11:00',
    )
    expect(rangeIn('UTC', 'hour', '2026-11-22T10:20:00Z', '2026-11-22T10:40:00Z').end).toBe(
      '2026-11-22T11:00',
    )
  })

  it('show hours of a few days, and days of more', () => {
    expect(granularityOf(undefined, 4 * 86_400)).toBe('hour')
    expect(granularityOf('hour', 4 * 86_400 + 3600)).toBe('hour')
    expect(granularityOf('hour', 30 * 86_400)).toBe('day')
    expect(granularityOf('week', 30 * 86_400)).toBe('week')
    expect(granularityOf('day', 3600)).toBe('day')
  })
})
