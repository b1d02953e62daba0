import { describe, expect, it } from 'bun:test'
import { type SetupForm, setupBodyOf, setupProblems } from './form.ts'

const good: SetupForm = {
  username: ' ada ',
  password: 'correct horse',
  confirmPassword: 'correct horse',
  mode: 'self',
  code: ' ab-cd ',
}
const account = { account: true, code: false }
const nothing = { account: false, code: false }

describe('first-run setup', () => {
  it('names the problem at its field', () => {
    expect(setupProblems(good, account)).toEqual({})
    expect(setupProblems({ ...good, username: '  ' }, account)).toEqual({ username: 'usernameEmpty' })
    expect(setupProblems({ ...good, password: 'short', confirmPassword: 'other' }, account)).toEqual({
      password: 'passwordShort',
      confirmPassword: 'passwordMismatch',
    })
  })

  it('asks nothing about the account when an administrator exists', () => {
    const blank = { ...good, username: '', password: '', confirmPassword: '' }
    expect(setupProblems(blank, nothing)).toEqual({})
    expect(setupBodyOf(blank, nothing)).toEqual({ SelfUseModeEnabled: true, DemoSiteEnabled: false })
  })

  it('sends the account trimmed and the mode as two switches', () => {
    expect(setupBodyOf({ ...good, mode: 'demo' }, account)).toEqual({
      username: 'ada',
      password: 'correct horse',
      confirmPassword: 'correct horse',
      SelfUseModeEnabled: false,
      DemoSiteEnabled: true,
    })
  })

  it('asks for the set-up code where one is required, and sends it then alone', () => {
    const needs = { account: false, code: true }
    expect(setupProblems({ ...good, code: ' ' }, needs)).toEqual({ code: 'codeEmpty' })
    expect(setupProblems(good, needs)).toEqual({})
    expect(setupBodyOf(good, needs)).toEqual({
      SelfUseModeEnabled: true,
      DemoSiteEnabled: false,
      code: 'ab-cd',
    })
  })
})
