import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { OwnOverview, UsageTotals } from '@tollgate/api'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Stat } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { useStatus } from '../../lib/api/status.ts'
import { usePhone } from '../../lib/browser/media-query.ts'
import { figures } from '../../lib/figures/figures.ts'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { overviewQuery, type Summary, summaryQuery } from './api.ts'
import { Attention } from './attention.tsx'
import { Failures } from './failures.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { MarginCard } from './margin-card.tsx'
import { daysLeft, errorRate, lowBalanceDays, neededInWeek, sumOf } from './rates.ts'
import { type Granularity, granularities } from './search.ts'
import { defaultRangeOf } from './usage/chart-times.ts'
import { Usage } from './usage/usage.tsx'

const route = getRouteApi('/console/detail')

/** Shows the problems, the costs, and the next steps. */
export function DashboardPage(): ReactNode {
  const { t } = useTranslation('dashboard')
  const user = useUser()
  const admin = hasPart(user, 'log')
  const seesMargin = hasPart(user, 'money') || hasPart(user, 'prices')
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/detail' })
  const steps = useFirstSteps(hasPart(user, 'channels'), admin)
  const isNew = steps !== undefined && steps.length > 0
  return (
    <Page>
      <PageHeader title={t('title')} />
      {isNew && <FirstSteps steps={steps} />}
      <Stats admin={admin} />
      <Attention admin={admin} isNew={isNew} />
      <div className="grid min-w-0 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="flex min-w-0 flex-col gap-3">
          <Usage
            admin={admin}
            search={search}
            defaultRange={defaultRangeOf(useDefaultGranularity())}
            onSearch={(next) => void navigate({ search: next, resetScroll: false })}
          />
          {seesMargin && (
            <OnPhoneFolded title={t('margin.title')}>
              <MarginCard />
            </OnPhoneFolded>
          )}
        </div>
        <OnPhoneFolded title={t('failures.title')}>
          <div className="flex min-w-0 flex-col gap-3">
            <Failures admin={admin} />
          </div>
        </OnPhoneFolded>
      </div>
    </Page>
  )
}

/** Folds content on a phone, which has the problems and the money on its first two screens; the rest opens on a press. */
function OnPhoneFolded({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  if (!usePhone()) return children
  return (
    <details
      className="group flex min-w-0 flex-col"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex min-h-11 items-center justify-between rounded-lg border bg-surface px-4 font-semibold text-sm">
        {title}
        <ChevronDown className="size-4 text-muted group-open:rotate-180" aria-hidden />
      </summary>
      {isOpen && <div className="mt-3">{children}</div>}
    </details>
  )
}

/** The installation's choice; unknown words count as hours. */
function useDefaultGranularity(): Granularity {
  const word = useStatus()?.data_export_default_time
  return granularities.find((known) => known === word) ?? 'hour'
}

/** Shows the most important figures of cost. */
function Stats({ admin }: { readonly admin: boolean }) {
  const { t } = useTranslation('dashboard')
  const phone = usePhone()
  const { data: self } = useQuery(overviewQuery)
  const { data: summary } = useQuery(summaryQuery(admin))
  return (
    <section
      aria-label={t('figures.label')}
      className="grid grid-cols-6 gap-x-4 gap-y-3 rounded-lg border bg-surface p-4 max-sm:*:col-span-2 max-sm:*:nth-[-n+2]:col-span-3 sm:grid-cols-3 sm:gap-y-4 md:grid-cols-5"
    >
      <Stat
        label={t('figures.balance')}
        hint={self && <BalanceHint self={self} summary={admin ? undefined : summary} />}
      >
        {self ? <Money quota={self.quota} /> : <Waiting />}
      </Stat>
      <Stat label={t(admin ? 'figures.todayAll' : 'figures.today')}>
        {summary ? <Money quota={summary.today.quota} /> : <Waiting />}
      </Stat>
      <Stat label={t(admin ? 'figures.weekAll' : 'figures.week')}>
        {summary ? <Money quota={summary.week.quota} single={phone} /> : <Waiting />}
      </Stat>
      <Stat
        label={t('figures.calls')}
        hint={summary ? weekCalls(summary.week, t('figures.inWeek')) : <Blank />}
      >
        {summary ? formatInteger(callsOf(summary.today)) : <Waiting />}
      </Stat>
      <Stat label={t('figures.errorRate')} hint={summary ? <FailureHint summary={summary} /> : <Blank />}>
        {summary ? <FailedCalls summary={summary} day="today" /> : <Waiting />}
      </Stat>
    </section>
  )
}

interface BalanceHintProps {
  readonly self: OwnOverview
  /** Of one's own calls; absent where the figures are everybody's. */
  readonly summary: Summary | undefined
}

/** How long the balance lasts, or that it covers no call, and the way to more of it for whoever is short. */
function BalanceHint({ self: { quota, refused }, summary }: BalanceHintProps) {
  const { t } = useTranslation('dashboard')
  const days = summary && daysLeft(quota, neededInWeek(summary.week, refused))
  const isLong = days === undefined || days >= 1000
  const isShort = quota <= 0 || !!refused || (days !== undefined && days < lowBalanceDays)
  return (
    <>
      {refused ? t('figures.tooLow') : !isLong && t('figures.daysLeft', { count: Math.round(days) })}
      {isShort && (
        <Link to="/topup" className="ml-1.5 text-accent-text hover:underline">
          {t('balance.topUp')}
        </Link>
      )}
    </>
  )
}

const days = { today: figures.failedToday, week: figures.failedInWeek } as const

/** How many calls failed for their callers, and the way to them. */
function FailedCalls({ summary, day }: { readonly summary: Summary; readonly day: keyof typeof days }) {
  const { value, link } = days[day].of(undefined, summary)
  const rate = errorRate(summary[day])
  const text =
    rate === undefined ? (
      '–'
    ) : (
      <>
        {formatInteger(value)} <span className="max-sm:text-xs">({formatPercent(rate)})</span>
      </>
    )
  if (value === 0 || link === undefined) return text
  return (
    <Link to="/log" search={link} className="hover:text-accent-text hover:underline">
      {text}
    </Link>
  )
}

/** The week; for administrators what channels failed today, and what of it failover kept from callers. */
function FailureHint({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation('dashboard')
  const { value: rescued, link } = figures.rescuedToday.of(undefined, summary)
  const tried = summary.attempts?.today
  return (
    <>
      <FailedCalls summary={summary} day="week" /> {t('figures.inWeek')}
      {tried !== undefined && tried.ok < sumOf(tried) && (
        <>
          {' · '}
          {t('figures.attempts', {
            failed: formatInteger(sumOf(tried) - tried.ok),
            attempts: formatInteger(sumOf(tried)),
          })}
        </>
      )}
      {rescued > 0 && (
        <>
          {' · '}
          <Link to="/log" search={link ?? {}} className="text-accent-text hover:underline">
            {t('figures.rescued', { number: formatInteger(rescued) })}
          </Link>
        </>
      )}
    </>
  )
}

/** Has the room of a line that is on its way. */
function Blank(): ReactNode {
  return '\u00a0'
}

function Waiting(): ReactNode {
  return (
    <span className="flex h-lh items-center">
      <Skeleton className="w-20!" />
    </span>
  )
}

/** Those that failed too. */
function callsOf({ count, errors }: UsageTotals): number {
  return count + errors
}

function weekCalls(week: UsageTotals, suffix: string): string {
  return `${formatInteger(callsOf(week))} ${suffix}`
}
