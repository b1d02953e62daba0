import { accountRefusedFields, mailRefusedFields } from '@tollgate/api/refused-fields'
import { fieldsByCode, type Problems } from '../../components/form/index.ts'

/** Fields of a new account: name, password, and, while the site verifies addresses, the address with its code. */
export type AccountForm = {
  readonly username: string
  readonly password: string
  readonly password2: string
  readonly email: string
  readonly verification_code: string
}

export const blankForm: AccountForm = {
  username: '',
  password: '',
  password2: '',
  email: '',
  verification_code: '',
}

const passwordMinLength = 8

type Problem = 'usernameEmpty' | 'passwordShort' | 'passwordMismatch' | 'emailEmpty' | 'codeEmpty'

/** Finds the problems that need no server. The address counts while the site verifies addresses. */
export function accountProblems(
  form: AccountForm,
  verifiesEmail: boolean,
): { readonly [Name in keyof AccountForm]?: Problem } {
  return {
    ...(form.username.trim() === '' && { username: 'usernameEmpty' }),
    ...([...form.password].length < passwordMinLength && { password: 'passwordShort' }),
    ...(form.password !== form.password2 && { password2: 'passwordMismatch' }),
    ...(verifiesEmail && form.email.trim() === '' && { email: 'emailEmpty' }),
    ...(verifiesEmail && form.verification_code.trim() === '' && { verification_code: 'codeEmpty' }),
  }
}

/** The field that a refusal is about. */
export const fieldOfRefusal = {
  ...fieldsByCode(
    { ...accountRefusedFields, ...mailRefusedFields },
    { username: 'username', password: 'password', email: 'email', verification_code: 'verification_code' },
  ),
  password_mismatch: 'password2',
} as const satisfies Readonly<Record<string, keyof AccountForm>>

/** Problems with their sentences. */
export function sentencesOf(
  problems: ReturnType<typeof accountProblems>,
  say: (problem: Problem) => string,
): Problems<AccountForm> {
  return Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, say(problem)]))
}
