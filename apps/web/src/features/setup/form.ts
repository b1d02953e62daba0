import { passwordMinLength, type SetupBody } from '@tollgate/api'

export const usageModes = ['external', 'self', 'demo'] as const
export type UsageMode = (typeof usageModes)[number]

export interface SetupForm {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  readonly mode: UsageMode
}

export type SetupProblem = 'usernameEmpty' | 'passwordShort' | 'passwordMismatch'

/** What is wrong with the account fields, by field. Nothing is when an administrator exists already. */
export function setupProblems(
  form: SetupForm,
  adminExists: boolean,
): Partial<Record<keyof SetupForm, SetupProblem>> {
  if (adminExists) return {}
  return {
    ...(form.username.trim() === '' && { username: 'usernameEmpty' }),
    ...(form.password.length < passwordMinLength && { password: 'passwordShort' }),
    ...(form.password !== form.confirmPassword && { confirmPassword: 'passwordMismatch' }),
  }
}

/** The call's body: without account fields when an administrator exists already. */
export function setupBodyOf(form: SetupForm, adminExists: boolean): Partial<SetupBody> {
  const mode = { SelfUseModeEnabled: form.mode === 'self', DemoSiteEnabled: form.mode === 'demo' }
  if (adminExists) return mode
  return {
    username: form.username.trim(),
    password: form.password,
    confirmPassword: form.confirmPassword,
    ...mode,
  }
}
