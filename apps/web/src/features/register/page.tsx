import '../../styles/pages.css'
import { mutationOptions, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/form/index.ts'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { type HumanCheck, useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { ApiError, request } from '../../lib/api/api-client.ts'
import { canRegister, useStatus, useSystemName } from '../../lib/api/status.ts'
import { readLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { useCountdown } from '../../lib/browser/timers.ts'
import { toast } from '../../lib/toast.ts'
import { NewAccountForm } from './account-form.tsx'
import type { AccountForm } from './form.ts'

export function RegisterPage(): ReactNode {
  const { t } = useTranslation('account')
  const systemName = useSystemName()
  const status = useStatus()
  const isClosed = status !== undefined && !canRegister(status)
  return (
    <AuthLayout
      title={t('register.title')}
      heading={t('register.heading', { systemName })}
      links={
        <Link to="/login" className={authLink}>
          {t('register.toLogin')}
        </Link>
      }
    >
      {isClosed ? <Notice tone="info">{t('register.closed')}</Notice> : <RegisterFields />}
    </AuthLayout>
  )
}

/** The form, with the conditions of this site for users who register by themselves. */
function RegisterFields(): ReactNode {
  const { t } = useTranslation('account')
  const verifiesEmail = useStatus()?.email_verification === true
  const check = useHumanCheck()
  return (
    <NewAccountForm
      verifiesEmail={verifiesEmail}
      submitLabel={t('register.submit')}
      open={async (form) => {
        if (!check.passed) throw new Error(t('problem.checkPending'))
        await register({ form, turnstile: check.response }).finally(check.renew)
        writeLocal('aff', null)
      }}
    >
      {(form) => (
        <>
          {verifiesEmail && <EmailFields form={form} check={check} />}
          {check.widget}
        </>
      )}
    </NewAccountForm>
  )
}

const resendSeconds = 30

interface EmailFieldsProps {
  readonly form: UseFormReturn<AccountForm>
  readonly check: HumanCheck
}

/** The address, and the code that proves it. */
function EmailFields({ form, check }: EmailFieldsProps): ReactNode {
  const { t } = useTranslation('account')
  const { left, start } = useCountdown(resendSeconds)
  const { mutate, isPending } = useMutation({
    ...sendCode,
    onSuccess() {
      start()
      toast.success(t('register.codeSent'))
    },
    onError(error) {
      const isAboutAddress = error instanceof ApiError && error.code.startsWith('email_')
      form.setError(isAboutAddress ? 'email' : 'verification_code', { message: error.message })
    },
    onSettled: check.renew,
  })

  /** Sends the code; without an address it sends nothing. */
  function send(): void {
    const email = form.getValues('email').trim()
    form.clearErrors(['email', 'verification_code'])
    if (email === '') form.setError('email', { message: t('problem.emailEmpty') })
    else if (!check.passed) form.setError('verification_code', { message: t('problem.checkPending') })
    else mutate({ email, turnstile: check.response })
  }

  return (
    <>
      <TextField
        form={form}
        name="email"
        label={t('field.email')}
        required
        input={{ autoComplete: 'email', inputMode: 'email', type: 'email' }}
      />
      <TextField
        form={form}
        name="verification_code"
        label={t('field.code')}
        required
        input={{ autoComplete: 'one-time-code' }}
      />
      <Button loading={isPending} disabled={left > 0} onClick={send} className="figures -mt-2 w-full">
        {left > 0 ? t('resendIn', { seconds: left }) : t('register.sendCode')}
      </Button>
    </>
  )
}

interface Registration {
  readonly form: AccountForm
  readonly turnstile: string
}

function register({ form, turnstile }: Registration): Promise<unknown> {
  const body = { ...form, username: form.username.trim(), aff_code: readLocal('aff') ?? '' }
  return request(calls.accounts.register, { query: { turnstile }, body })
}

const sendCode = mutationOptions({
  mutationFn: (query: { readonly email: string; readonly turnstile: string }) =>
    request(calls.accounts.sendVerificationCode, { query }),
  meta: { silent: true },
})
