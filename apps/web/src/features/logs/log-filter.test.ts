import { describe, expect, it } from 'bun:test'
import { isRequestId, modelPattern, patternText, queryOf } from './log-filter.ts'

const now = new Date(2026, 10, 21, 16, 40, 30)

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

describe('a typed model', () => {
  it('is found anywhere in a name, and reads as it was typed', () => {
    expect(modelPattern('mini')).toBe('*mini*')
    expect(patternText('*mini*')).toBe('mini')
    expect(patternText('%mini%')).toBe('mini')
    expect(queryOf({ model: '*mini*' }, now, false).model_name).toBe('%mini%')
    expect(modelPattern('gpt-4%')).toBe('gpt-4%')
    expect(patternText('gpt-4%')).toBe('gpt-4%')
    expect(modelPattern('')).toBeUndefined()
  })

  it('is not an exact name', () => {
    expect(patternText('gpt-4o')).toBeUndefined()
    expect(patternText(undefined)).toBeUndefined()
  })
})

it('a request id differs from a model by its shape', () => {
  expect(isRequestId('20261121164737902000031cKRKRaqd')).toBe(true)
  expect(isRequestId('gpt-4o')).toBe(false)
  expect(isRequestId('20261121164737902000031cKRKRaq')).toBe(false)
})
