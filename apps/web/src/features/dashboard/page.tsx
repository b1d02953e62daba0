import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { UsageTotals } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card, Stat } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { useStatus } from '../../lib/api/status.ts'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'
import { isAdmin, useUser } from '../../lib/session/session.ts'
import { overviewQuery, summaryQuery } from './api.ts'
import { Attention } from './attention.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { daysLeft, errorRate } from './rates.ts'
import { type Granularity, granularities } from './search.ts'
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

/** Models, and for administrators channels, whose calls failed in the last seven days. */
function Failures({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('dashboard')
  const { data } = useQuery(summaryQuery(admin))
  if (!data) return null
  const { failing_models: models, failing_channels: channels = [] } = data
  return (
    <>
      <FailureCard title={t('failures.models')} none={models.length === 0}>
        {models.map((model) => (
          <FailureRow key={model.model_name} {...model}>
            <Link
              to="/log"
              search={{ type: 5, model: model.model_name, range: '7d' }}
              className="truncate font-mono text-[0.93em] hover:text-accent-text hover:underline"
            >
              {model.model_name || t('failures.noModel')}
            </Link>
          </FailureRow>
        ))}
      </FailureCard>
      {admin && (
        <FailureCard title={t('failures.channels')} none={channels.length === 0}>
          {channels.map((channel) => (
            <FailureRow key={channel.channel} {...channel}>
              <Link
                to="/log"
                search={{ type: 5, channel: channel.channel, range: '7d' }}
                className="truncate hover:text-accent-text hover:underline"
              >
                {channel.channel_name || t('failures.goneChannel', { id: channel.channel })}
              </Link>
            </FailureRow>
          ))}
        </FailureCard>
      )}
    </>
  )
}

interface FailureCardProps {
  readonly title: string
  readonly none: boolean
  readonly children: ReactNode
}

function FailureCard({ title, none, children }: FailureCardProps) {
  const { t } = useTranslation('dashboard')
  return (
    <Card title={title} description={t('failures.period')}>
      {none ? (
        <p className="text-muted text-sm">{t('failures.none')}</p>
      ) : (
        <ul className="flex flex-col">{children}</ul>
      )}
    </Card>
  )
}

interface FailureRowProps {
  readonly count: number
  readonly errors: number
  readonly children: ReactNode
}

function FailureRow({ count, errors, children }: FailureRowProps) {
  const { t } = useTranslation('dashboard')
  return (
    <li className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0 max-sm:py-2.5">
      <span className="flex min-w-0 flex-1">{children}</span>
      <span className="figures text-muted text-xs">
        {t('failures.of', { errors: formatInteger(errors), calls: formatInteger(count + errors) })}
      </span>
      <span className="figures w-14 text-right font-medium">
        {formatPercent(errorRate({ count, errors }) ?? 0)}
      </span>
    </li>
  )
}

/** What it costs, in the figures one looks for first. */
function Stats({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('dashboard')
  const { data: self } = useQuery(overviewQuery)
  const { data: summary } = useQuery(summaryQuery(admin))
  const days = self && summary && !admin ? daysLeft(self.quota, summary.week.quota) : undefined
  return (
    <section
      aria-label={t('figures.label')}
      className="grid grid-cols-2 gap-x-5 gap-y-4 rounded-lg border bg-surface p-4 sm:grid-cols-3 md:grid-cols-5"
    >
      <Stat
        label={t('figures.balance')}
        hint={days !== undefined && days < 1000 && t('figures.daysLeft', { count: Math.round(days) })}
      >
        {self ? <Money quota={self.quota} /> : <Waiting />}
      </Stat>
      <Stat label={t(admin ? 'figures.todayAll' : 'figures.today')}>
        {summary ? <Money quota={summary.today.quota} /> : <Waiting />}
      </Stat>
      <Stat label={t(admin ? 'figures.weekAll' : 'figures.week')}>
        {summary ? <Money quota={summary.week.quota} /> : <Waiting />}
      </Stat>
      <Stat label={t('figures.calls')} hint={summary && weekCalls(summary.week, t('figures.inWeek'))}>
        {summary ? formatInteger(callsOf(summary.today)) : <Waiting />}
      </Stat>
      <Stat
        label={t('figures.errorRate')}
        hint={summary && `${rateText(summary.week)} ${t('figures.inWeek')}`}
      >
        {summary ? rateText(summary.today) : <Waiting />}
      </Stat>
    </section>
  )
}

function Waiting(): ReactNode {
  return <Skeleton className="w-20!" />
}

/** Those that failed too. */
function callsOf({ count, errors }: UsageTotals): number {
  return count + errors
}

function weekCalls(week: UsageTotals, suffix: string): string {
  return `${formatInteger(callsOf(week))} ${suffix}`
}

function rateText(totals: UsageTotals): string {
  const rate = errorRate(totals)
  return rate === undefined ? '–' : formatPercent(rate)
}
