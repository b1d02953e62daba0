import { describe, expect, it } from 'bun:test'
import { blankForm, registerProblems } from './form.ts'

const good = { ...blankForm, username: 'ann', password: 'a long password', password2: 'a long password' }

describe('registration form', () => {
  it('asks for a name, eight characters and the same again', () => {
    expect(registerProblems(good, false)).toEqual({})
    expect(registerProblems({ ...good, username: ' ' }, false)).toEqual({ username: 'usernameEmpty' })
    expect(registerProblems({ ...good, password: 'seven77', password2: 'seven78' }, false)).toEqual({
      password: 'passwordShort',
      password2: 'passwordMismatch',
    })
  })

  it('asks for address and code only where addresses are verified', () => {
    expect(registerProblems(good, true)).toEqual({ email: 'emailEmpty', verification_code: 'codeEmpty' })
    expect(registerProblems({ ...good, email: 'a@b.de', verification_code: '123456' }, true)).toEqual({})
  })
})
