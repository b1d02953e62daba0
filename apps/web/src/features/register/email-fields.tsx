import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../components/form/index.ts'
import type { HumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { ApiError } from '../../lib/api-client.ts'
import { toast } from '../../lib/toast.ts'
import { useCountdown } from '../../lib/use-countdown.ts'
import { sendCode } from './api.ts'
import type { RegisterForm } from './form.ts'

const resendSeconds = 30

export interface EmailFieldsProps {
  readonly form: UseFormReturn<RegisterForm>
  readonly check: HumanCheck
}

/** The address, and the code that proves it. */
export function EmailFields({ form, check }: EmailFieldsProps): ReactNode {
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

  /** Without an address nothing is sent. */
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
