import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { isRoot, useUser } from '../../lib/session.ts'
import { settingsQuery } from './api.ts'
import { SettingsEditor } from './settings-editor.tsx'

const route = getRouteApi('/console/setting')

/** Everything the operator can set, by tab. */
export function SettingsPage() {
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
