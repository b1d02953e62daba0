import { accountRefusedFields, mailRefusedFields } from '@tollgate/api/refused-fields'
import { fieldsByCode, type Problems } from '../../components/form/index.ts'

/** The form as it is sent, but for the invite code. */
export type RegisterForm = {
  readonly username: string
  readonly password: string
  readonly password2: string
  readonly email: string
  readonly verification_code: string
}

export const blankForm: RegisterForm = {
  username: '',
  password: '',
  password2: '',
  email: '',
  verification_code: '',
}

const passwordMinLength = 8

type Problem = 'usernameEmpty' | 'passwordShort' | 'passwordMismatch' | 'emailEmpty' | 'codeEmpty'

/** Finds the problems that need no server. The address counts while the site verifies addresses. */
export function registerProblems(
  form: RegisterForm,
  verifiesEmail: boolean,
): { readonly [Name in keyof RegisterForm]?: Problem } {
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
} as const satisfies Readonly<Record<string, keyof RegisterForm>>

/** Problems with their sentences. */
export function sentencesOf(
  problems: ReturnType<typeof registerProblems>,
  say: (problem: Problem) => string,
): Problems<RegisterForm> {
  return Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, say(problem)]))
}
