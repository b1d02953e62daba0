import '../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { calls, roles, type SessionUser } from '@tollgate/api'
import { accountRefusedFields } from '@tollgate/api/refused-fields'
import type { FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsByCode, type Problems, TextField, useSaveForm } from '../../components/form/index.ts'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { logInToNew } from '../../components/sign-in/log-in.ts'
import { Button } from '../../components/ui/button.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useStatus, useSystemName } from '../../lib/api/status.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { storeUser } from '../../lib/session/session.ts'

const route = getRouteApi('/plain/invitation')

interface InvitedForm {
  readonly username: string
  readonly password: string
  readonly password2: string
}

const blank: InvitedForm = { username: '', password: '', password2: '' }
const passwordMinLength = 8

/** The page of an invitation's link: who invites, as what, and the account that it opens. */
export function InvitationPage(): ReactNode {
  const { t } = useTranslation('account')
  const systemName = useSystemName()
  const { token = '' } = route.useSearch()
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => request(calls.invitations.look, { body: { token }, signal }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <AuthLayout
      title={t('invitation.title')}
      heading={t('invitation.heading', { systemName })}
      links={
        <Link to="/login" className={authLink}>
          {t('register.toLogin')}
        </Link>
      }
    >
      {offer.error ? (
        <Notice tone="bad">{offer.error.message}</Notice>
      ) : (
        <QueryBoundary query={offer}>
          {({ role, inviter_name: inviter, expires_at: expiresAt }) => (
            <div className="flex flex-col gap-4">
              <Notice tone="info">
                {t(role === roles.admin ? 'invitation.asAdmin' : 'invitation.asUser', { inviter })}{' '}
                {t('invitation.until', { time: formatDateTime(expiresAt) })}
              </Notice>
              <InvitedFields token={token} />
            </div>
          )}
        </QueryBoundary>
      )}
    </AuthLayout>
  )
}

function problemsOf({ username, password, password2 }: InvitedForm) {
  return {
    ...(username.trim() === '' && { username: 'usernameEmpty' as const }),
    ...([...password].length < passwordMinLength && { password: 'passwordShort' as const }),
    ...(password !== password2 && { password2: 'passwordMismatch' as const }),
  }
}

const fieldOfRefusal = fieldsByCode(accountRefusedFields, { username: 'username', password: 'password' })

/** The form. Who opened the account is logged in to it, or logs in by hand where the human check stands before that. */
function InvitedFields({ token }: { readonly token: string }) {
  const { t } = useTranslation('account')
  const navigate = useNavigate()
  const status = useStatus()
  const { form, submit, saving, failure } = useSaveForm<InvitedForm, SessionUser | undefined>({
    start: blank,
    check: (values): Problems<InvitedForm> =>
      Object.fromEntries(
        Object.entries(problemsOf(values)).map(([name, problem]) => [name, t(`problem.${problem}`)]),
      ),
    async save({ username, password }) {
      await request(calls.invitations.accept, { body: { token, username: username.trim(), password } })
      return status?.turnstile_check === true ? undefined : await logInToNew(username, password)
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
      <Button type="submit" variant="primary" loading={saving} className="w-full">
        {t('invitation.submit')}
      </Button>
    </form>
  )
}
