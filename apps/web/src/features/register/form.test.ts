import { describe, expect, it } from 'bun:test'
import { accountProblems, blankForm } from './form.ts'

const good = { ...blankForm, username: 'ann', password: 'a long password', password2: 'a long password' }

describe('registration form', () => {
  it('asks for a name, eight characters and the same again', () => {
    expect(accountProblems(good, false)).toEqual({})
    expect(accountProblems({ ...good, username: ' ' }, false)).toEqual({ username: 'usernameEmpty' })
    expect(accountProblems({ ...good, password: 'seven77', password2: 'seven78' }, false)).toEqual({
      password: 'passwordShort',
      password2: 'passwordMismatch',
    })
  })

  it('asks for address and code only where addresses are verified', () => {
    expect(accountProblems(good, true)).toEqual({ email: 'emailEmpty', verification_code: 'codeEmpty' })
    expect(accountProblems({ ...good, email: 'a@b.de', verification_code: '123456' }, true)).toEqual({})
  })
})
