import { logTypes } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { Skeleton } from '../../components/ui/states.tsx'
import { abbreviateNumber, formatInteger } from '../../lib/format/format.ts'
import type { LogFilter } from './log-filter.ts'
import type { LogList } from './use-log-list.ts'

/** Shows the cost of the calls under the filter, and the load of the last minute. */
export function StatStrip({ stat, type }: Pick<LogList, 'stat'> & Pick<LogFilter, 'type'>) {
  const { t } = useTranslation('logs')
  const isOfCalls = type === undefined || type === logTypes.consumption
  return (
    // On a phone it has a row of its own from the start: beside the title its figures would push it below once they come.
    <dl className="flex items-stretch gap-4 max-sm:min-w-59 max-sm:justify-between max-sm:rounded-lg max-sm:border max-sm:bg-surface max-sm:px-3.5 max-sm:py-2.5">
      <StatFigure
        label={t(isOfCalls ? 'stat.used' : 'stat.sum')}
        hint={t(isOfCalls ? 'stat.usedHint' : 'stat.sumHint')}
      >
        {stat && <Money quota={stat.quota} />}
      </StatFigure>
      <StatFigure label={t('stat.rpm')} hint={t('stat.rpmHint')}>
        {stat && formatInteger(stat.rpm)}
      </StatFigure>
      <StatFigure label={t('stat.tpm')} hint={t('stat.tpmHint')}>
        {stat && <span title={formatInteger(stat.tpm)}>{shortInteger(stat.tpm)}</span>}
      </StatFigure>
    </dl>
  )
}

interface StatFigureProps {
  readonly label: string
  readonly hint: string
  readonly children: ReactNode
}

function StatFigure({ label, hint, children }: StatFigureProps) {
  return (
    <div
      title={hint}
      className="flex items-baseline gap-2 max-sm:flex-col max-sm:gap-0 sm:border-l sm:pl-4 sm:first:border-l-0"
    >
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="figures font-semibold text-base">
        {children ?? <Skeleton className="my-1 w-14! max-sm:w-10!" />}
      </dd>
    </div>
  )
}

/** Digits in groups while there are few, abbreviated from 10,000 on. */
function shortInteger(value: number): string {
  return value < 10_000 ? formatInteger(value) : abbreviateNumber(value)
}
