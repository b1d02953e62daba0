import '../../styles/pages.css'
import { mutationOptions, useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { calls } from '@tollgate/api'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { useHumanCheck } from '../../components/sign-in/human-check.tsx'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Field } from '../../components/ui/field/field.tsx'
import { Input } from '../../components/ui/field/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { copyText } from '../../lib/browser/copy.ts'
import { useCountdown } from '../../lib/browser/timers.ts'

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

const route = getRouteApi('/plain/user/reset')

/** Shows the target of the mailed link: it works once, for a new password that the server makes up. */
export function ResetConfirmPage(): ReactNode {
  const { t } = useTranslation('account')
  const { email = '', token = '' } = route.useSearch()
  const isComplete = email !== '' && token !== ''
  return (
    <AuthLayout
      title={t('confirm.title')}
      heading={t('confirm.title')}
      links={
        <>
          <Link to="/login" className={authLink}>
            {t('reset.toLogin')}
          </Link>
          <Link to="/reset" className={authLink}>
            {t('confirm.newLink')}
          </Link>
        </>
      }
    >
      {isComplete ? (
        <ConfirmForm email={email} token={token} />
      ) : (
        <Notice tone="bad">{t('confirm.incomplete')}</Notice>
      )}
    </AuthLayout>
  )
}

function ConfirmForm({ email, token }: { readonly email: string; readonly token: string }) {
  const { t } = useTranslation('account')
  const { mutate, data, isPending, isSuccess, error } = useMutation({
    ...resetPassword,
    onSuccess: (password) => void copyText(password),
  })
  return (
    <div className="flex flex-col gap-4 rounded-lg border bg-surface p-5">
      <Field label={t('field.email')}>
        <Input readOnly value={email} />
      </Field>
      {error && <Notice tone="bad">{error.message}</Notice>}
      {isSuccess ? (
        <NewPassword password={data} />
      ) : (
        <>
          <p className="text-muted text-sm">{t('confirm.hint')}</p>
          <Button variant="primary" loading={isPending} onClick={() => mutate({ email, token })}>
            {t('confirm.submit')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Shown once; the server keeps only its hash. */
function NewPassword({ password }: { readonly password: string }) {
  const { t } = useTranslation('account')
  return (
    <>
      <Notice tone="good">{t('confirm.done')}</Notice>
      <Field label={t('confirm.newPassword')}>
        <Input
          readOnly
          mono
          value={password}
          suffix={<CopyButton value={password} label={t('confirm.copy')} />}
        />
      </Field>
    </>
  )
}

const requestReset = mutationOptions({
  mutationFn: (query: { readonly email: string; readonly turnstile: string }) =>
    request(calls.accounts.requestPasswordReset, { query }),
  meta: { silent: true },
})

const resetPassword = mutationOptions({
  mutationFn: async (body: { readonly email: string; readonly token: string }) =>
    (await request(calls.accounts.resetPassword, { body: { ...body, password: '' } })) ?? '',
  meta: { silent: true },
})
