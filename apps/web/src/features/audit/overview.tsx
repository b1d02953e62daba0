import { useQuery } from '@tanstack/react-query'
import type { AuditRecordRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { CallHistogram, type CallHistogramProps, sumOfSteps } from '../../components/histogram/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { type AuditFilter, callsQuery } from './api.ts'

interface AuditOverviewProps {
  readonly filter: AuditFilter
  /** Those on the page: each is marked where it happened. */
  readonly rows: readonly AuditRecordRow[] | undefined
  readonly onZoom: CallHistogramProps['onZoom']
}

/** Calls and errors over the same time, so that a change stands beside what followed it. */
export function AuditOverview({ filter, rows, onZoom }: AuditOverviewProps) {
  const { t } = useTranslation(['audit', 'common'])
  const { data, error, refetch } = useQuery(callsQuery(filter))
  const { calls, errors } = sumOfSteps(data?.steps ?? [])
  return (
    <section aria-label={t('common:histogram.title')} className="flex h-15 shrink-0 items-stretch gap-4">
      <div className="min-w-0 flex-1">
        {error && !data ? (
          <p className="flex h-full items-center gap-3 text-muted text-xs">
            {error.message}
            <Button size="sm" onClick={() => void refetch()}>
              {t('common:action.retry')}
            </Button>
          </p>
        ) : (
          <CallHistogram histogram={data} marks={rows?.map(({ created_at }) => created_at)} onZoom={onZoom} />
        )}
      </div>
      {data && (
        <div className="figures flex w-28 shrink-0 flex-col items-end justify-center text-muted text-xs">
          <span>{t('common:histogram.calls', { count: calls, calls: formatInteger(calls) })}</span>
          <span>{t('common:histogram.errors', { count: errors, errors: formatInteger(errors) })}</span>
        </div>
      )}
    </section>
  )
}
