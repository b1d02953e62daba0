import '../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { calls, roles } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AuthLayout, authLink } from '../../components/sign-in/auth-layout.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useSystemName } from '../../lib/api/status.ts'
import { formatDateTime } from '../../lib/format/format.ts'
import { NewAccountForm } from './account-form.tsx'

const route = getRouteApi('/plain/invitation')

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
              <NewAccountForm
                submitLabel={t('invitation.submit')}
                open={({ username, password }) =>
                  request(calls.invitations.accept, { body: { token, username: username.trim(), password } })
                }
              />
            </div>
          )}
        </QueryBoundary>
      )}
    </AuthLayout>
  )
}
