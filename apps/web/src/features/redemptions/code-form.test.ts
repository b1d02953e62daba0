import { describe, expect, it } from 'bun:test'
import { blankForm, createBodyOf, problemsOf } from './code-form.ts'
import { codeLines, maskedCode, stateOf } from './code-state.ts'

describe('the form of a code', () => {
  it('starts as the specification says', () => {
    expect(createBodyOf(blankForm, '$0.20')).toEqual({ name: '$0.20', quota: 100_000, count: 1 })
    expect(problemsOf(blankForm)).toEqual({})
  })

  it('counts a name in characters', () => {
    expect(problemsOf({ ...blankForm, name: '码'.repeat(20) })).toEqual({})
    expect(problemsOf({ ...blankForm, name: '😀'.repeat(21) })).toEqual({
      name: { code: 'redemption_name_length', max: 20 },
    })
  })

  it('takes whole quotas above zero, and one to a hundred codes', () => {
    for (const quota of [undefined, 0, -1, 10 ** 15 + 1])
      expect(problemsOf({ ...blankForm, quota })).toMatchObject({
        quota: { code: 'redemption_quota_invalid' },
      })
    for (const count of [undefined, 0, 101])
      expect(problemsOf({ ...blankForm, count })).toMatchObject({ count: { code: 'countInvalid' } })
  })
})

describe('codes', () => {
  const code = { name: 'gift', key: '0123456789abcdef0123456789abcdef' }

  it('are copied with their names, and shown without their middles', () => {
    expect(codeLines([code, { ...code, name: 'prize' }])).toBe(`gift    ${code.key}\nprize    ${code.key}`)
    expect(maskedCode(code)).toBe('0123…cdef')
  })

  it('count as disabled in a state that is not known', () => {
    expect([1, 2, 3, 9].map((status) => stateOf({ status }))).toEqual([
      'unused',
      'disabled',
      'used',
      'disabled',
    ])
  })
})
