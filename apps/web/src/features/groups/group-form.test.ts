import { describe, expect, it } from 'bun:test'
import { changedSettings, formOf, problemsOf, settingsOf } from './group-form.ts'

const vip = {
  name: 'vip',
  ratio: 0.8,
  is_open: true,
  description: 'For customers',
  user_limits: { requests: 0, successes: 50 },
  tokens_per_minute: 900,
}

describe('the form of a group', () => {
  it('sends what changed alone, with what the person found', () => {
    const before = formOf(vip)
    expect(changedSettings(before, before)).toEqual({ settings: {}, base: {} })
    expect(changedSettings(before, { ...before, hasUserLimits: false, concurrency: 5 })).toEqual({
      settings: { user_limits: null, concurrency: 5 },
      base: { user_limits: { requests: 0, successes: 50 }, concurrency: 0 },
    })
  })

  it('has no description where nobody chooses the group', () => {
    expect(settingsOf({ ...formOf(vip), is_open: false })).toMatchObject({ is_open: false, description: '' })
  })

  it('takes no name twice, and no ratio below zero', () => {
    const form = { ...formOf(vip), ratio: -1, successes: 0 }
    expect(problemsOf(form, ['default', 'vip'])).toEqual({
      name: 'nameTaken',
      ratio: 'ratio',
      successes: 'successes',
    })
    expect(problemsOf(formOf(vip), [])).toEqual({})
  })
})
