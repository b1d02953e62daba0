import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { faults, type OwnOverview } from '@tollgate/api'
import { CircleCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { openIncidentsQuery } from '../../components/incidents/incident-api.ts'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { ErrorState, Skeleton } from '../../components/ui/states.tsx'
import { cx } from '../../lib/cx.ts'
import { figures } from '../../lib/figures/figures.ts'
import { formatInteger, formatPercent } from '../../lib/format/format.ts'
import { secondsNow } from '../../lib/server-clock.ts'
import { overviewQuery, type Summary, summaryQuery } from './api.ts'
import { expiringKeys } from './expiring-keys.ts'
import { HealthRows } from './health-rows.tsx'
import { IncidentRows } from './incident-rows.tsx'
import { JournalRows } from './journal-rows.tsx'
import { ExpiringKeyRows, KeyRows, MoreKeysRow, unusable } from './key-rows.tsx'
import { actionLink, ProblemRow } from './problem-row.tsx'
import { daysLeft, errorRate, hasHighErrorRate, lowBalanceDays, neededInWeek } from './rates.ts'
import { UpgradeRows } from './upgrade-rows.tsx'

interface AttentionProps {
  readonly admin: boolean
  /** Nothing has happened yet: it says nothing unless something is wrong. */
  readonly isNew: boolean
}

/** Shows the problems, the worst first; or that there are none. */
export function Attention({ admin, isNew }: AttentionProps) {
  const { t } = useTranslation('dashboard')
  const problems = useProblems(admin)
  const { known, error } = problems
  if (error)
    return (
      <Box>
        <ErrorState error={error} onRetry={problems.retry} />
      </Box>
    )
  if (!known) {
    return (
      <Box>
        <div className="flex flex-col gap-3 p-4" role="status" aria-label={t('attention.looking')}>
          <Skeleton className="w-64!" />
          <Skeleton className="w-96! max-w-full" />
        </div>
      </Box>
    )
  }
  const count = countOf(problems)
  if (count === 0 && isNew) return null
  if (count > 0) return <ProblemList problems={problems} count={count} />
  return (
    <Box>
      <p className="flex items-center gap-2.5 px-4 py-3 text-sm">
        <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
        {t(admin ? 'attention.nothingAdmin' : 'attention.nothing')}
      </p>
    </Box>
  )
}

type Problems = ReturnType<typeof useProblems>

/** Counts the rows of the problems. */
function countOf({ incidents, isShort, isFailing, proxy, outgrown, ...lists }: Problems): number {
  const ofIncidents = incidents ? incidents.open.length + Number(incidents.quiet > 0) : 0
  const single = [isShort, isFailing, proxy !== '', outgrown !== null, incidents === null]
  const { keys, expiring, journal, health, upgrades } = lists
  const rows = [keys, expiring, journal, health, upgrades].reduce((sum, { length }) => sum + length, 0)
  return ofIncidents + rows + single.filter(Boolean).length
}

interface ProblemListProps {
  readonly problems: Problems
  readonly count: number
}

function ProblemList({ problems, count }: ProblemListProps) {
  const { t } = useTranslation('dashboard')
  const [all, setAll] = useState(false)
  const { self, summary, incidents, proxy, outgrown } = problems
  return (
    <Box>
      <ul className={cx('flex flex-col', !all && firstRows)}>
        {problems.isFailing && summary && <ErrorsRow summary={summary} />}
        <HealthRows problems={problems.health} />
        <JournalRows findings={problems.journal} />
        {incidents && <IncidentRows incidents={incidents} />}
        {incidents === null && <UnknownIncidentsRow />}
        {proxy !== '' && <ProxyRow address={proxy} />}
        {outgrown !== null && <OutgrownRow extent={outgrown} />}
        <UpgradeRows upgrades={problems.upgrades} />
        {problems.isShort && self && <BalanceRow self={self} pace={problems.pace} />}
        <KeyRows keys={problems.keys} />
        {unusable.map((state) => (
          <MoreKeysRow key={state} state={state} count={self?.keys[`more_${state}`]} />
        ))}
        <ExpiringKeyRows keys={problems.expiring} />
      </ul>
      {count > visibleOnPhone && !all && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="min-h-11 w-full border-t text-accent-text text-sm sm:hidden"
        >
          {t('attention.showAll')}
        </button>
      )}
    </Box>
  )
}

/** Rows that a phone shows at first, so that the money is on its first screen too. */
const visibleOnPhone = 4
const firstRows = 'max-sm:[&>li:nth-child(n+5)]:hidden'

function Box({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('dashboard')
  return (
    <section className="min-w-0 rounded-lg border bg-surface">
      <header className="flex items-baseline justify-between gap-3 border-b px-4 py-2.5">
        <h2 className="font-semibold text-sm">{t('attention.title')}</h2>
        <Link to="/log" search={{ range: '1h', why: true }} className={actionLink}>
          {t('attention.why')}
        </Link>
      </header>
      {children}
    </section>
  )
}

/** Everything that may be wrong, for administrators with the channels; `undefined` until all of it is known. */
function useProblems(admin: boolean) {
  const overview = useQuery(overviewQuery)
  const summary = useQuery(summaryQuery(admin))
  const incidents = useQuery({ ...openIncidentsQuery, enabled: admin })
  const queries = [overview, summary, ...(admin ? [incidents] : [])]
  const self = overview.data
  const keys = unusable.flatMap((state) => self?.keys[state]?.map((key) => ({ key, state })) ?? [])
  const working = self ? [...self.keys.ends_first, ...self.keys.least_left] : []
  // The figures of administrators are everybody's: they say nothing of their own balance.
  const pace = admin || !summary.data ? 0 : neededInWeek(summary.data.week, self?.refused)
  const days = self && daysLeft(self.quota, pace)
  return {
    self,
    summary: summary.data,
    pace,
    incidents: admin ? incidents.data : undefined,
    keys,
    ...installationProblems(self),
    expiring: expiringKeys(working, secondsNow()),
    isShort:
      self !== undefined &&
      (self.quota <= 0 || !!self.refused || (days !== undefined && days < lowBalanceDays)),
    // To administrators an incident says it.
    isFailing:
      !admin && summary.data?.calls !== undefined && hasHighErrorRate(summary.data.calls.today, faults),
    known: queries.every(({ data }) => data !== undefined),
    error: queries.find(({ data, error }) => data === undefined && error)?.error,
    retry(): void {
      for (const query of queries) if (query.error) void query.refetch()
    },
  }
}

/** Returns the problems that the super administrator alone sees. */
function installationProblems(self: OwnOverview | undefined) {
  const {
    untrusted_proxy: proxy = '',
    journal = [],
    health = [],
    upgrades = [],
    outgrown = null,
  } = self ?? {}
  return { proxy, journal, health, upgrades, outgrown }
}

interface BalanceRowProps {
  readonly self: Pick<OwnOverview, 'quota' | 'refused'>
  /** What the calls of a week need. */
  readonly pace: number
}

/** A balance that is used up, or soon will be. */
function BalanceRow({ self, pace }: BalanceRowProps) {
  const { t } = useTranslation('dashboard')
  const { refused } = self
  const days = daysLeft(self.quota, pace)
  const topUp = (
    <Link to="/topup" className={actionLink}>
      {t('balance.topUp')}
    </Link>
  )
  if (self.quota <= 0) {
    return (
      <ProblemRow tone="bad" title={t('balance.gone')} action={topUp}>
        {t('balance.goneHint')}
      </ProblemRow>
    )
  }
  if (refused)
    return (
      <ProblemRow tone="bad" title={t('balance.short')} action={topUp}>
        {t('balance.refused', { count: refused.count, visible: formatInteger(refused.count) })}{' '}
        <RelativeTime at={refused.last_at} />
        {refused.needed > 0 && (
          <>
            {' · '}
            {t('balance.needed')} <Money quota={refused.needed} single />
          </>
        )}
      </ProblemRow>
    )
  if (days === undefined || days >= lowBalanceDays) return null
  return (
    <ProblemRow tone="warn" title={t('balance.low')} action={topUp}>
      {t('balance.lowHint', { count: Math.max(1, Math.round(days)) })}
    </ProblemRow>
  )
}

/** Says that this node knows no incidents: it is of the version before. */
function UnknownIncidentsRow() {
  const { t } = useTranslation('incidents')
  return <ProblemRow tone="neutral" title={t('unknown')} />
}

/** More failures today than may be an accident. */
function ErrorsRow({ summary }: { readonly summary: Summary }) {
  const { t } = useTranslation('dashboard')
  const { value, link } = figures.failedToday.of(undefined, summary)
  const { today } = summary
  return (
    <ProblemRow
      tone="bad"
      title={t('errors.title', { rate: formatPercent(errorRate(today) ?? 0) })}
      action={
        <Link to="/log" search={{ ...link, why: true }} className={actionLink}>
          {t('errors.open')}
        </Link>
      }
    >
      {t('errors.hint', {
        errors: formatInteger(value),
        calls: formatInteger(today.count + today.errors),
      })}
    </ProblemRow>
  )
}

/** A proxy whose forwarding headers are not believed, so that everybody behind it looks like one visitor. */
function ProxyRow({ address }: { readonly address: string }) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow tone="warn" title={t('proxy.title')}>
      {t('proxy.hint', { address })} <code className="select-all">TRUSTED_PROXIES={address}</code>
    </ProblemRow>
  )
}

interface OutgrownRowProps {
  readonly extent: NonNullable<OwnOverview['outgrown']>
}

/** A database file that is better moved to PostgreSQL. */
function OutgrownRow({ extent }: OutgrownRowProps) {
  const { t } = useTranslation('dashboard')
  return (
    <ProblemRow tone="warn" title={t('outgrown.title')}>
      {t('outgrown.hint', {
        rows: formatInteger(extent.log_rows),
        size: formatInteger(Math.ceil(extent.bytes / gibibyte)),
      })}{' '}
      <code className="select-all">tollgate move --to postgres://…</code>
    </ProblemRow>
  )
}

const gibibyte = 2 ** 30
