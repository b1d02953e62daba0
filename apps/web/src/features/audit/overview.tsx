import { useQuery } from '@tanstack/react-query'
import type { AuditRecordRow } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { type CallHistogramProps, QueriedHistogram, sumOfSteps } from '../../components/histogram/index.ts'
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
  const { t } = useTranslation()
  const query = useQuery(callsQuery(filter))
  const { data } = query
  const { calls, errors } = sumOfSteps(data?.steps ?? [])
  return (
    <section aria-label={t('histogram.title')} className="flex h-15 shrink-0 items-stretch gap-4">
      <div className="min-w-0 flex-1">
        <QueriedHistogram query={query} marks={rows?.map(({ created_at }) => created_at)} onZoom={onZoom} />
      </div>
      {data && (
        <div className="figures flex w-28 shrink-0 flex-col items-end justify-center text-muted text-xs">
          <span>{t('histogram.calls', { count: calls, calls: formatInteger(calls) })}</span>
          <span>{t('histogram.errors', { count: errors, errors: formatInteger(errors) })}</span>
        </div>
      )}
    </section>
  )
}
