import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ListedUser, type LogEntry, logTypes, tokenStatuses, type UserActivity } from '@tollgate/api'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { CallsByFault } from '../../../components/ended-calls/index.ts'
import { Money } from '../../../components/ui/money.tsx'
import { QueryBoundary } from '../../../components/ui/query-boundary.tsx'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { Sparkline } from '../../../components/ui/sparkline.tsx'
import { Skeleton } from '../../../components/ui/states.tsx'
import { StatusDot } from '../../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatInteger, formatQuota } from '../../../lib/format/format.ts'
import { dateNow } from '../../../lib/server-clock.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { activityQuery, lastCallsQuery } from './api.ts'
import { dailyQuota, spentSince } from './daily.ts'

interface UserPartProps {
  readonly user: ListedUser
}

/** Shows their spending, the outcomes of their calls, their keys, and their last calls. */
export function Activity({ user }: UserPartProps) {
  const seesCalls = hasPart(useUser(), 'log')
  return (
    <QueryBoundary query={useQuery(activityQuery(user.id))}>
      {(activity) => (
        <div className="flex flex-col gap-4">
          <Spend user={user} activity={activity} />
          <Suspense fallback={<Skeleton className="h-16!" />}>
            <CallsByFault calls={activity.calls} of={{ user: user.username }} />
          </Suspense>
          <Keys keys={activity.keys} user={user} />
          {seesCalls && <LastCalls user={user} />}
        </div>
      )}
    </QueryBoundary>
  )
}

interface PartProps {
  readonly title: string
  readonly aside?: ReactNode
  readonly children: ReactNode
}

function Part({ title, aside, children }: PartProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-1.5">
      <h3 className="flex items-baseline gap-2 font-semibold text-sm">
        {title}
        <span className="font-normal text-muted text-xs">{aside}</span>
      </h3>
      {children}
    </section>
  )
}

const spans = [
  ['today', 1],
  ['week', 7],
  ['month', 30],
] as const

function Spend({ user, activity: { days } }: UserPartProps & { readonly activity: UserActivity }) {
  const { t } = useTranslation('users')
  const display = useMoneyDisplay()
  const now = dateNow()
  const values = dailyQuota(days, now)
  return (
    <Part title={t('activity.spend')}>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-2">
        {spans.map(([name, count]) => (
          <div key={name}>
            <p className="text-muted text-xs">{t(`activity.${name}`)}</p>
            <p className="mt-0.5 font-medium">
              <Money quota={spentSince(values, count)} single />
            </p>
          </div>
        ))}
        <Sparkline
          values={values}
          label={t('activity.sparkline', { amount: formatQuota(values.at(-1) ?? 0, display) })}
          className="ml-auto h-8 w-32"
        />
      </div>
      <p className="flex flex-wrap gap-x-3 text-xs">
        <Link
          to="/detail"
          search={{ user: user.username, range: '30d' }}
          className="text-accent-text hover:underline"
        >
          {t('activity.dashboard')}
        </Link>
        <Link to="/orders" search={{ user: user.username }} className="text-accent-text hover:underline">
          {t('activity.orders')}
        </Link>
        <Link
          to="/statement"
          search={{ kind: 'user', id: user.id }}
          className="text-accent-text hover:underline"
        >
          {t('activity.statement')}
        </Link>
      </p>
    </Part>
  )
}

function Keys({ keys, user }: UserPartProps & { readonly keys: UserActivity['keys'] }) {
  const { t } = useTranslation('users')
  return (
    <Part
      title={t('activity.keys')}
      aside={keys.total > keys.items.length && t('activity.newestOf', { total: formatInteger(keys.total) })}
    >
      {keys.items.length === 0 ? (
        <p className="text-muted text-sm">{t('activity.noKeys')}</p>
      ) : (
        <ul className="flex flex-col">
          {keys.items.map((key) => (
            <li key={key.id} className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0">
              <Link
                to="/log"
                search={{ user: user.username, key: key.id, range: '30d' }}
                title={key.name}
                className="min-w-0 flex-1 truncate hover:text-accent-text hover:underline"
              >
                {key.name}
              </Link>
              {key.status !== tokenStatuses.enabled && (
                <StatusDot tone="neutral">{t('activity.notWorking')}</StatusDot>
              )}
              <RelativeTime at={key.accessed_time} className="whitespace-nowrap text-muted text-xs" />
              <Money quota={key.used_quota} single className="w-20 text-right" />
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function LastCalls({ user }: UserPartProps) {
  const { t } = useTranslation('users')
  return (
    <Part title={t('activity.lastCalls')}>
      <QueryBoundary query={useQuery(lastCallsQuery(user))}>
        {(calls) =>
          calls.length === 0 ? (
            <p className="text-muted text-sm">{t('activity.noCalls')}</p>
          ) : (
            <>
              <ul className="flex flex-col">
                {calls.map((call) => (
                  <CallRow key={call.id} call={call} user={user} />
                ))}
              </ul>
              <Link
                to="/log"
                search={{ user: user.username, range: '30d' }}
                className="text-accent-text text-xs hover:underline"
              >
                {t('activity.allCalls')}
              </Link>
            </>
          )
        }
      </QueryBoundary>
    </Part>
  )
}

function CallRow({ call, user }: UserPartProps & { readonly call: LogEntry }) {
  const { t } = useTranslation('users')
  const { id, created_at: at, model_name: model, quota, type } = call
  return (
    <li className="flex items-baseline gap-3 border-b py-1.5 text-sm last:border-b-0">
      <Link
        to="/log"
        search={{ user: user.username, range: '30d', entry: String(id), at }}
        title={model}
        className="min-w-0 flex-1 truncate font-mono text-[0.93em] hover:text-accent-text hover:underline"
      >
        {model || t('activity.noModel')}
      </Link>
      <RelativeTime at={at} className="whitespace-nowrap text-muted text-xs" />
      <span className="w-20 text-right">
        {type === logTypes.error ? (
          <StatusDot tone="bad">{t('activity.failed')}</StatusDot>
        ) : (
          <Money quota={quota} single />
        )}
      </span>
    </li>
  )
}
