import '../../styles/pages.css'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Field } from '../../components/ui/field.tsx'
import { Input } from '../../components/ui/input.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { copyText } from '../../lib/copy.ts'
import { resetPassword } from './api.ts'

const route = getRouteApi('/plain/user/reset')

/** Where the mailed link leads: it is good once, for a new password that the server makes up. */
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
