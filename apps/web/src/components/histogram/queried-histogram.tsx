import type { UseQueryResult } from '@tanstack/react-query'
import type { LogHistogram } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { CallHistogram, type CallHistogramProps } from './call-histogram.tsx'

interface QueriedHistogramProps extends Omit<CallHistogramProps, 'histogram'> {
  readonly query: Pick<UseQueryResult<LogHistogram>, 'data' | 'error' | 'refetch'>
}

/** The chart, or in its place why it cannot be read. */
export function QueriedHistogram({ query: { data, error, refetch }, ...chart }: QueriedHistogramProps) {
  const { t } = useTranslation()
  if (!error || data) return <CallHistogram histogram={data} {...chart} />
  return (
    <p className="flex h-full items-center gap-3 text-muted text-xs">
      {error.message}
      <Button size="sm" onClick={() => void refetch()}>
        {t('action.retry')}
      </Button>
    </p>
  )
}
