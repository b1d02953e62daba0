import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { NoValue } from '../../components/ui/tag.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { formatAvailability, formatDuration, formatInteger } from '../../lib/format/format.ts'
import { quotient } from '../../lib/format/money.ts'
import { formatPrice } from '../../lib/format/price.ts'
import { isTooLong } from './job-form.ts'
import type { ListedRow } from './price-list.ts'

type Column = Omit<DataColumn<ListedRow>, 'header' | 'id'> & {
  readonly id: 'job' | 'speed' | 'availability'
}

/** Returns the column of the job's charge; none without a job. */
export function jobColumns(output: number | undefined): readonly Column[] {
  if (output === undefined) return []
  const cell = (row: ListedRow) => <JobCell row={row} output={output} />
  return [{ id: 'job', numeric: true, sortable: true, width: '7rem', card: 'none', cell }]
}

/** Returns the columns of what callers received; none where the operator does not show it. */
export function measuredColumns(isMeasured: boolean, hidden: boolean): readonly Column[] {
  if (!isMeasured) return []
  const shared = { numeric: true, sortable: true, hidden, card: 'none' } as const
  return [
    { ...shared, id: 'speed', width: '6rem', cell: (row) => <SpeedCell row={row} /> },
    { ...shared, id: 'availability', width: '8rem', cell: (row) => <UptimeCell row={row} /> },
  ]
}

interface JobCellProps {
  readonly row: ListedRow
  /** Output tokens of one call of the job. */
  readonly output: number
}

/** The charge of the job that is typed, in currency. */
export function JobCell({ row: { job, context_size }, output }: JobCellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const { quotaPerUnit } = useMoneyDisplay()
  if (job === undefined) return <NoValue />
  const text = formatPrice(quotient(job.quota, quotaPerUnit))
  if (!isTooLong(context_size, job, output)) return text
  return (
    <span className="text-warn" title={t('job.tooLong')}>
      {text} *<span className="sr-only">{t('job.tooLong')}</span>
    </span>
  )
}

interface MeasuredCellProps {
  readonly row: ListedRow
}

/** The share of calls that callers received in the last day. */
function UptimeCell({ row: { performance } }: MeasuredCellProps): ReactNode {
  if (performance?.availability === undefined) return <NoValue />
  return formatAvailability(performance.availability)
}

/** Median output tokens per second, and the time to the first one. */
function SpeedCell({ row: { performance } }: MeasuredCellProps): ReactNode {
  const { t } = useTranslation('pricing')
  const { tokens_per_second: rate, first_token_ms: first } = performance ?? {}
  if (first === undefined) return <NoValue />
  return (
    <span className="flex flex-col">
      {rate !== undefined && t('speed.rate', { rate: formatInteger(Math.round(rate)) })}
      <span className="text-2xs text-muted">{t('speed.first', { time: formatDuration(first) })}</span>
    </span>
  )
}
