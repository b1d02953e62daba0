import { describe, expect, it } from 'bun:test'
import type { User } from '@tollgate/api'
import type { TFunction } from 'i18next'
import { blankForm, createProblems, formOf, updateBodyOf, updateProblems } from './rules.ts'

const t = ((key: string) => key) as unknown as TFunction<'users'>
const limits = { requests_per_minute: 0, tokens_per_minute: 0, concurrency: 0 }
const ann = {
  id: 7,
  username: 'ann',
  display_name: 'Ann',
  group: 'default',
  quota: 500,
  ...limits,
} as User

describe('a new user', () => {
  it('needs a username and a password', () => {
    expect(createProblems(blankForm, t)).toMatchObject({
      username: 'problem.empty',
      password: 'problem.empty',
    })
  })

  it('needs a password of eight characters', () => {
    const form = { ...blankForm, username: 'ann', password: '1234567' }
    expect(createProblems(form, t).password).toBe('problem.passwordShort')
    expect(createProblems({ ...form, password: '12345678' }, t).password).toBeUndefined()
  })
})

describe('a stored user', () => {
  it('keeps the password when it is left blank', () => {
    expect(updateProblems(formOf(ann), t).password).toBeUndefined()
  })

  it('is sent with what was changed alone', () => {
    expect(updateBodyOf(ann, { ...formOf(ann), concurrency: 3 })).toEqual({ id: 7, concurrency: 3 })
    expect(updateBodyOf(ann, formOf(ann))).toEqual({ id: 7 })
    const form = { ...formOf(ann), displayName: ' Annie ', group: 'vip' }
    expect(updateBodyOf(ann, form)).toEqual({
      id: 7,
      display_name: 'Annie',
      group: 'vip',
    })
  })
})
