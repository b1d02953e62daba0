import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { reopenForHumanCheck } from '../../components/sign-in/turnstile-script.ts'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { QueryBoundary } from '../../components/ui/query-boundary.tsx'
import { accountQuery } from '../../lib/api/account.ts'
import { useStatus } from '../../lib/api/status.ts'
import { AccountCard } from './account-card.tsx'
import { BindingsCard } from './bindings-card.tsx'
import { DeleteCard } from './delete-card.tsx'
import { InviteCard } from './invite-card.tsx'
import { AccessCard } from './security/access/access-card.tsx'
import { PasskeysCard } from './security/passkeys-card.tsx'
import { SecurityCard } from './security/security-card.tsx'
import { SettingsCard } from './settings/settings-card.tsx'

const column = 'flex min-w-0 flex-col gap-3'

/** The personal settings: account, sign-in, security and notifications. */
export function PersonalPage() {
  const { t } = useTranslation('personal')
  const account = useQuery(accountQuery)
  const asksHuman = useStatus()?.turnstile_check === true
  useEffect(() => {
    // A document that may run the check is opened before the person types anything.
    if (asksHuman) reopenForHumanCheck()
  }, [asksHuman])
  return (
    <Page>
      <PageHeader title={t('title')} />
      <QueryBoundary query={account}>
        {(user) => (
          <div className="grid items-start gap-3 lg:grid-cols-2">
            <div className={column}>
              <AccountCard user={user} />
              <InviteCard user={user} />
              <SettingsCard user={user} />
            </div>
            <div className={column}>
              <BindingsCard user={user} />
              <SecurityCard />
              <PasskeysCard />
              <AccessCard />
              <DeleteCard user={user} />
            </div>
          </div>
        )}
      </QueryBoundary>
    </Page>
  )
}
