import { useNavigate } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField, useSaveForm } from '../../components/form/index.ts'
import { useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { writeLocal } from '../../lib/local-store.ts'
import { useStatus } from '../../lib/status.ts'
import { register } from './api.ts'
import { EmailFields } from './email-fields.tsx'
import { blankForm, fieldOfRefusal, type RegisterForm, registerProblems, sentencesOf } from './form.ts'

/** The form, which leads to the login when the account is made. */
export function RegisterFields(): ReactNode {
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const verifiesEmail = useStatus()?.email_verification === true
  const check = useHumanCheck()
  const { form, submit, saving, failure } = useSaveForm<RegisterForm, unknown>({
    start: blankForm,
    check: (values) =>
      sentencesOf(registerProblems(values, verifiesEmail), (problem) => t(`problem.${problem}`)),
    async save(values) {
      if (!check.passed) throw new Error(t('problem.checkPending'))
      return register({ form: values, turnstile: check.response }).finally(check.renew)
    },
    fieldOf: fieldOfRefusal,
    onSaved() {
      writeLocal('aff', null)
      void navigate({ to: '/login' })
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
      {verifiesEmail && <EmailFields form={form} check={check} />}
      {check.widget}
      <Button type="submit" variant="primary" loading={saving} className="w-full">
        {t('register.submit')}
      </Button>
    </form>
  )
}
