import { describe, expect, it } from 'bun:test'
import { type SetupForm, setupBodyOf, setupProblems } from './form.ts'

const good: SetupForm = {
  username: ' ada ',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  mode: 'self',
}

describe('first-run setup', () => {
  it('names the problem at its field', () => {
    expect(setupProblems(good, false)).toEqual({})
    expect(setupProblems({ ...good, username: '  ' }, false)).toEqual({ username: 'usernameEmpty' })
    expect(setupProblems({ ...good, password: 'short', confirmPassword: 'other' }, false)).toEqual({
      password: 'passwordShort',
      confirmPassword: 'passwordMismatch',
    })
  })

  it('asks nothing about the account when an administrator exists', () => {
    const blank = { ...good, username: '', password: '', confirmPassword: '' }
    expect(setupProblems(blank, true)).toEqual({})
    expect(setupBodyOf(blank, true)).toEqual({ SelfUseModeEnabled: true, DemoSiteEnabled: false })
  })

  it('sends the account trimmed and the mode as two switches', () => {
    expect(setupBodyOf({ ...good, mode: 'demo' }, false)).toEqual({
      username: 'ada',
      password: 'correct horse',
      confirmPassword: 'correct horse',
      SelfUseModeEnabled: false,
      DemoSiteEnabled: true,
    })
  })
})
