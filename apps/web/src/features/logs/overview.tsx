import type { UseQueryResult } from '@tanstack/react-query'
import type { LogHistogram } from '@tollgate/api'
import { ChevronDown } from 'lucide-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type CallHistogramProps, QueriedHistogram, sumOfSteps } from '../../components/histogram/index.ts'
import { Popover } from '../../components/ui/overlay/popover.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import type { LogView } from './api.ts'
import { isOfCalls, type LogFilter } from './log-filter.ts'

// Asked for by few visits.
const FailurePanel = lazyComponent(() => import('./failure/failure-panel.tsx'), 'FailurePanel')

interface LogOverviewProps extends LogView {
  readonly histogram: Pick<UseQueryResult<LogHistogram>, 'data' | 'error' | 'refetch'>
  readonly onShow: (filter: LogFilter) => void
  /** Set while the panel of failures is open. */
  readonly why: boolean
  readonly onWhy: (open: boolean) => void
  /** Narrows the log to a piece of the chart; says why calls failed where it has failed calls. */
  readonly onZoom: CallHistogramProps['onZoom']
}

/** Shows the calls under the filter over time, and the causes of their failures. */
export function LogOverview(props: LogOverviewProps) {
  const { filter, onZoom } = props
  const { data: histogram } = props.histogram
  const { t } = useTranslation(['logs', 'common'])
  if (!isOfCalls(filter)) return null
  const { calls, errors } = sumOfSteps(histogram?.steps ?? [])
  return (
    <section aria-label={t('common:histogram.title')} className="flex h-13 shrink-0 items-stretch gap-4">
      <div className="min-w-0 flex-1">
        <QueriedHistogram query={props.histogram} onZoom={onZoom} />
      </div>
      <div className="figures flex w-28 shrink-0 flex-col items-end justify-center text-xs">
        {histogram && (
          <>
            <span className="text-muted">
              {t('common:histogram.calls', { count: calls, calls: formatInteger(calls) })}
            </span>
            <FailureButton {...props} errors={errors} />
          </>
        )}
      </div>
    </section>
  )
}

interface FailureButtonProps extends Pick<LogOverviewProps, 'admin' | 'filter' | 'onShow' | 'why' | 'onWhy'> {
  readonly errors: number
}

function FailureButton({ admin, filter, errors, onShow, why, onWhy }: FailureButtonProps) {
  const { t } = useTranslation(['logs', 'common'])
  const text = t('common:histogram.errors', { count: errors, errors: formatInteger(errors) })
  if (errors === 0) return <span className="text-muted">{text}</span>
  return (
    <Popover
      label={t('failures.title')}
      open={why}
      onOpenChange={onWhy}
      align="end"
      className="w-[min(28rem,92vw)]"
      trigger={
        <button
          type="button"
          title={t('failures.title')}
          className="-mr-1.5 inline-flex h-6 items-center gap-0.5 rounded-sm px-1.5 font-medium text-bad hover:bg-bad-soft max-sm:h-9"
        >
          {text}
          <ChevronDown className="size-3.5" aria-hidden />
        </button>
      }
    >
      <Suspense>
        <FailurePanel admin={admin} filter={filter} onShow={onShow} />
      </Suspense>
    </Popover>
  )
}
