import { useNavigate } from '@tanstack/react-router'
import { calls, type SessionUser } from '@tollgate/api'
import type { FormEvent, ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../components/form/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useStatus } from '../../lib/api/status.ts'
import { storeUser } from '../../lib/session/session.ts'
import { type AccountForm, accountProblems, blankForm, fieldOfRefusal, sentencesOf } from './form.ts'

/** Way in which a page opens an account, and what it asks for beside name and password. */
export interface NewAccountFormProps {
  /** Opens the account. */
  readonly open: (values: AccountForm) => Promise<unknown>
  readonly verifiesEmail?: boolean
  readonly submitLabel: string
  /** Fields between the passwords and the button. */
  readonly children?: (form: UseFormReturn<AccountForm>) => ReactNode
}

/**
 * Name and password of a new account. Logs its owner in, who logs in by hand where the human check allows one call for each
 * solving.
 */
export function NewAccountForm(props: NewAccountFormProps): ReactNode {
  const { open, verifiesEmail = false, submitLabel, children } = props
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const status = useStatus()
  const { form, submit, saving, failure } = useSaveForm<AccountForm, SessionUser | undefined>({
    start: blankForm,
    check: (values) =>
      sentencesOf(accountProblems(values, verifiesEmail), (problem) => t(`problem.${problem}`)),
    async save(values) {
      await open(values)
      return status?.turnstile_check === true ? undefined : await logInToNew(values.username, values.password)
    },
    fieldOf: fieldOfRefusal,
    onSaved(user) {
      if (user) storeUser(user)
      void navigate({ to: user ? '/token' : '/login' })
    },
    successMessage: t('register.done'),
  })

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    submit()
  }

  return (
    <form noValidate onSubmit={onSubmit} className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      {failure && <Notice tone="bad">{failure.message}</Notice>}
      <TextField
        form={form}
        name="username"
        label={t('field.username')}
        required
        input={{ autoComplete: 'username' }}
      />
      <TextField
        form={form}
        name="password"
        label={t('field.password')}
        required
        secret
        input={{ autoComplete: 'new-password', placeholder: t('field.passwordPlaceholder') }}
      />
      <TextField
        form={form}
        name="password2"
        label={t('field.confirmPassword')}
        required
        secret
        input={{ autoComplete: 'new-password' }}
      />
      {children?.(form)}
      <Button type="submit" variant="primary" loading={saving} className="w-full">
        {submitLabel}
      </Button>
    </form>
  )
}

/** Logs the user of a new account in; `undefined` where the log-in asks for something more. */
async function logInToNew(username: string, password: string): Promise<SessionUser | undefined> {
  const body = { username: username.trim(), password }
  const response = await request(calls.users.login, { query: { turnstile: '' }, body }).catch(() => undefined)
  return response === undefined || 'require_2fa' in response ? undefined : response
}
