import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Settings2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { EmptyState, ErrorState, Forbidden, Skeleton } from '../../components/ui/states.tsx'
import { isAdmin, isRoot, partHolderOf, useUser } from '../../lib/session/session.ts'
import { settingsQuery } from './api.ts'
import { tabsFor } from './model/catalogue.ts'
import { SettingsEditor } from './settings-editor.tsx'

const route = getRouteApi('/console/setting')

/** Settings of the site for its operators; for others, where their own are (spec operations §2.1). */
export function SettingsPage() {
  const user = useUser()
  if (!isAdmin(user)) return <NoSiteSettings />
  return tabsFor(partHolderOf(user)).length > 0 ? <SiteSettings /> : <Forbidden who="part" />
}

function NoSiteSettings() {
  const { t } = useTranslation('settings')
  return (
    <Page>
      <PageHeader title={t('title')} />
      <EmptyState
        icon={Settings2}
        title={t('own.title')}
        action={
          <LinkButton to="/personal" variant="primary">
            {t('own.open')}
          </LinkButton>
        }
      >
        {t('own.hint')}
      </EmptyState>
    </Page>
  )
}

/** Everything the operator can set, by tab. */
function SiteSettings() {
  const { t } = useTranslation('settings')
  const { tab = 'operation', keyword = '' } = route.useSearch()
  const { data, error, refetch, isFetching } = useQuery(settingsQuery)
  return (
    <Page>
      <PageHeader title={isRoot(useUser()) ? t('title') : t(`page.${tab}`)} />
      {data ? (
        <SettingsEditor rows={data} tab={tab} keyword={keyword} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <LoadingCards />
      )}
    </Page>
  )
}

function LoadingCards() {
  return (
    <div aria-busy className="flex max-w-[760px] flex-col gap-4">
      <Skeleton className="h-control" />
      <Skeleton className="h-64" />
      <Skeleton className="h-64" />
    </div>
  )
}
