import '../../styles/pages.css'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { useCountdown } from '../../lib/use-countdown.ts'
import { requestReset } from './api.ts'

const retrySeconds = 30

export function ResetRequestPage(): ReactNode {
  const { t } = useTranslation('account')
  return (
    <AuthLayout
      title={t('reset.title')}
      heading={t('reset.title')}
      links={
        <Link to="/login" className={authLink}>
          {t('reset.toLogin')}
        </Link>
      }
    >
      <RequestForm />
    </AuthLayout>
  )
}

/** Asks for the mail with the link. */
function RequestForm() {
  const { t } = useTranslation('account')
  const [email, setEmail] = useState('')
  const [problem, setProblem] = useState<'emailEmpty' | 'checkPending'>()
  const check = useHumanCheck()
  const { left, start } = useCountdown(retrySeconds)
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    ...requestReset,
    onSettled() {
      start()
      check.renew()
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    reset()
    const found = email.trim() === '' ? 'emailEmpty' : check.passed ? undefined : 'checkPending'
    setProblem(found)
    if (found === undefined) mutate({ email: email.trim(), turnstile: check.response })
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <p className="text-muted text-sm">{t('reset.hint')}</p>
      {isSuccess && <Notice tone="good">{t('reset.sent')}</Notice>}
      <Field
        label={t('field.email')}
        required
        error={problem === undefined ? error?.message : t(`problem.${problem}`)}
      >
        <Input
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      {check.widget}
      <Button
        type="submit"
        variant="primary"
        loading={isPending}
        disabled={left > 0}
        className="figures w-full"
      >
        {left > 0 ? t('resendIn', { seconds: left }) : t('reset.submit')}
      </Button>
    </form>
  )
}
