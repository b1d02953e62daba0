import { describe, expect, it } from 'bun:test'
import { weekdays } from '@tollgate/api'
import {
  hasTimeProblem,
  newWindow,
  startTimeForm,
  timesOf,
  windowProblems,
  zoneProblem,
} from './time-form.ts'

const times = {
  zone: 'Asia/Shanghai',
  windows: [
    { days: ['sat', 'sun'], from: '22:00', to: '06:00', ratio: 0.5 },
    { from: '09:00', to: '12:00', ratio: 2 },
  ],
} as const

describe('the form of prices by time', () => {
  it('says what is stored, there and back, with days in the order of the week', () => {
    const form = startTimeForm(times, 'UTC')
    expect(form.windows.map(({ days }) => days.length)).toEqual([2, 7])
    expect(timesOf(form)).toEqual({
      zone: times.zone,
      windows: [{ ...times.windows[0], days: ['sun', 'sat'] }, times.windows[1]],
    })
    expect(hasTimeProblem(form)).toBe(false)
  })

  it('begins in the zone of the reader, and is nothing without a row', () => {
    const form = startTimeForm(undefined, 'Asia/Kathmandu')
    expect([form.zone, timesOf(form), hasTimeProblem({ ...form, zone: '' })]).toEqual([
      'Asia/Kathmandu',
      null,
      false,
    ])
    expect(timesOf({ ...form, windows: [newWindow] })?.windows).toEqual([
      { from: '22:00', to: '06:00', ratio: 0.5 },
    ])
  })

  it('names the field that is wrong', () => {
    expect(windowProblems({ days: [], from: '24:00', to: '6', ratio: 'half' })).toEqual({
      days: 'days',
      from: 'time',
      to: 'time',
      ratio: 'ratio',
    })
    for (const ratio of ['', '-1', '1001'])
      expect(windowProblems({ ...newWindow, ratio })).toEqual({ ratio: 'ratio' })
    for (const zone of ['', 'Mars/Olympus', '+02:00'])
      expect(zoneProblem({ zone, windows: [newWindow] })).toBe('zone')
    expect(hasTimeProblem({ zone: 'UTC', windows: Array.from({ length: 17 }, () => newWindow) })).toBe(true)
    expect(windowProblems({ ...newWindow, days: weekdays })).toEqual({})
  })
})
