import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { isAdmin, useUser } from '../../lib/session.ts'
import { useStatus } from '../../lib/status.ts'
import { Attention } from './attention/attention.tsx'
import { Failures } from './failures.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { type Granularity, granularities } from './search.ts'
import { Stats } from './stats.tsx'
import { defaultRangeOf } from './usage/chart-times.ts'
import { Usage } from './usage/usage.tsx'

const route = getRouteApi('/console/detail')

/** What is wrong, what it costs, and what to do next. */
export function DashboardPage(): ReactNode {
  const { t } = useTranslation('dashboard')
  const admin = isAdmin(useUser())
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/detail' })
  const steps = useFirstSteps(admin)
  const isNew = steps !== undefined && steps.length > 0
  return (
    <Page>
      <PageHeader title={t('title')} />
      {isNew && <FirstSteps steps={steps} />}
      <Attention admin={admin} isNew={isNew} />
      <Stats admin={admin} />
      <div className="grid min-w-0 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <Usage
          admin={admin}
          search={search}
          defaultRange={defaultRangeOf(useDefaultGranularity())}
          onSearch={(next) => void navigate({ search: next, resetScroll: false })}
        />
        <div className="flex min-w-0 flex-col gap-3">
          <Failures admin={admin} />
        </div>
      </div>
    </Page>
  )
}

/** The installation's choice; unknown words count as hours. */
function useDefaultGranularity(): Granularity {
  const word = useStatus()?.data_export_default_time
  return granularities.find((known) => known === word) ?? 'hour'
}
