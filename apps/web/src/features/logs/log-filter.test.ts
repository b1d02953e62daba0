import { describe, expect, it } from 'bun:test'
import { isNarrowed, modelPattern, patternText, queryOf, timesOf } from './log-filter.ts'

const now = new Date(2026, 10, 21, 16, 40, 30)
const seconds = Math.floor(now.getTime() / 1000)

describe('timesOf', () => {
  it('covers today from its first second to an hour ahead, unless told otherwise', () => {
    expect(timesOf({}, now)).toEqual({
      from: Math.floor(new Date(2026, 10, 21).getTime() / 1000),
      to: seconds + 3600,
    })
  })

  it('counts the other ranges back from now', () => {
    expect(timesOf({ range: '24h' }, now).from).toBe(seconds - 86_400)
    expect(timesOf({ range: '7d' }, now).from).toBe(seconds - 7 * 86_400)
    expect(timesOf({ range: '30d' }, now).from).toBe(seconds - 30 * 86_400)
  })

  it('takes a range of one’s own as it is, open at either end', () => {
    expect(timesOf({ range: 'custom', from: 5 }, now)).toEqual({ from: 5 })
    expect(timesOf({ range: 'custom', to: 9 }, now)).toEqual({ to: 9 })
  })
})

describe('queryOf', () => {
  it('asks for channel and person only as an administrator', () => {
    const filter = { type: 2, token: 'ci', model: 'gpt-4o', group: 'vip', channel: 3, user: 'ada' }
    const own = {
      type: 2,
      token_name: 'ci',
      model_name: 'gpt-4o',
      group: 'vip',
      start_timestamp: expect.any(Number),
      end_timestamp: expect.any(Number),
    }
    expect(queryOf(filter, now, false)).toEqual(own)
    expect(queryOf(filter, now, true)).toEqual({ ...own, channel: 3, username: 'ada' })
  })
})

it('a list is narrowed by anything but its time', () => {
  expect(isNarrowed({ range: '7d', from: 1, to: 2 })).toBe(false)
  expect(isNarrowed({ group: 'vip' })).toBe(true)
})

describe('a typed model', () => {
  it('is found anywhere in a name, and reads as it was typed', () => {
    expect(modelPattern('mini')).toBe('%mini%')
    expect(patternText('%mini%')).toBe('mini')
    expect(modelPattern('gpt-4%')).toBe('gpt-4%')
    expect(patternText('gpt-4%')).toBe('gpt-4%')
    expect(modelPattern('')).toBeUndefined()
  })

  it('is no exact name', () => {
    expect(patternText('gpt-4o')).toBeUndefined()
    expect(patternText(undefined)).toBeUndefined()
  })
})
