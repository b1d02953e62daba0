import { useQuery } from '@tanstack/react-query'
import type { UsageTotals } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Stat } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { formatInteger, formatPercent } from '../../lib/format.ts'
import { overviewQuery, summaryQuery } from './api.ts'
import { daysLeft, errorRate } from './rates.ts'

/** What it costs, in the figures one looks for first. */
export function Stats({ admin }: { readonly admin: boolean }) {
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
