import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CallHistogram, sumOfSteps } from '../../../components/histogram/index.ts'
import { Stat } from '../../../components/ui/card.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { ErrorState, Skeleton } from '../../../components/ui/states.tsx'
import { figures } from '../../../lib/figures/figures.ts'
import { formatInteger } from '../../../lib/format/format.ts'
import { recentUsageQuery } from '../api.ts'
import type { RecentRange } from './chart-times.ts'

interface RecentUsageProps {
  readonly admin: boolean
  readonly range: RecentRange
  readonly user: string | undefined
}

/** The last hour or quarter of it by the minute, from the log: hourly sums would say nothing of it. */
export function RecentUsage({ admin, range, user }: RecentUsageProps) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const { data, error, refetch, isFetching } = useQuery(recentUsageQuery({ admin, range, user }))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!data) return <Skeleton className="h-44!" />
  const { calls } = sumOfSteps(data.histogram.steps)
  const { value: errors, link } = figures.failedRecently.of(undefined, data)
  const log = { ...(user !== undefined && { user }) }
  return (
    <>
      <div className="grid grid-cols-3 gap-x-5">
        <Stat label={t('usage.measure.cost')}>
          <Money quota={data.quota} single />
        </Stat>
        <Stat label={t('usage.measure.calls')}>{formatInteger(calls)}</Stat>
        <Stat label={t('usage.failed')}>
          {errors === 0 ? (
            formatInteger(errors)
          ) : (
            <Link to="/log" search={{ ...link, why: true }} className="text-bad hover:underline">
              {formatInteger(errors)}
            </Link>
          )}
        </Stat>
      </div>
      <div className="h-40">
        <CallHistogram
          histogram={data.histogram}
          onZoom={(times, failed) =>
            void navigate({
              to: '/log',
              search: { ...log, range: 'custom', ...times, why: failed > 0 || undefined },
            })
          }
        />
      </div>
    </>
  )
}
