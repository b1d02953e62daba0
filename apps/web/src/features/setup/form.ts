import { passwordMinLength, type SetupBody } from '@tollgate/api'

export const usageModes = ['external', 'self', 'demo'] as const
export type UsageMode = (typeof usageModes)[number]

export interface SetupForm {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  readonly mode: UsageMode
  /** The set-up code, where it is asked for. */
  readonly code: string
}

export type SetupProblem = 'usernameEmpty' | 'passwordShort' | 'passwordMismatch' | 'codeEmpty'

/** Parts of the form. */
export interface SetupNeeds {
  /** There is none yet. */
  readonly account: boolean
  readonly code: boolean
}

/** Finds the problems, by field. */
export function setupProblems(
  form: SetupForm,
  needs: SetupNeeds,
): Partial<Record<keyof SetupForm, SetupProblem>> {
  return {
    ...(needs.code && form.code.trim() === '' && { code: 'codeEmpty' }),
    ...(needs.account && accountProblems(form)),
  }
}

function accountProblems(form: SetupForm): Partial<Record<keyof SetupForm, SetupProblem>> {
  return {
    ...(form.username.trim() === '' && { username: 'usernameEmpty' }),
    ...(form.password.length < passwordMinLength && { password: 'passwordShort' }),
    ...(form.password !== form.confirmPassword && { confirmPassword: 'passwordMismatch' }),
  }
}

/** The call's body: without the fields that are not asked for. */
export function setupBodyOf(form: SetupForm, needs: SetupNeeds): Partial<SetupBody> {
  const { username, password, confirmPassword } = form
  return {
    ...(needs.account && { username: username.trim(), password, confirmPassword }),
    SelfUseModeEnabled: form.mode === 'self',
    DemoSiteEnabled: form.mode === 'demo',
    ...(needs.code && { code: form.code.trim() }),
  }
}
