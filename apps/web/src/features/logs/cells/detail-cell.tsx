import type { LogEntry, LogOther } from '@tollgate/api'
import { CircleX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Tag } from '../../../components/ui/tag.tsx'
import { useFailureText } from '../failure/use-failure-text.ts'
import { isCall, isFailedCall } from '../log-type.ts'
import { CostCell } from './amount-cells.tsx'

interface DetailCellProps {
  readonly entry: LogEntry
  readonly other: LogOther
  /** Says in short how the price came about. */
  readonly withPrice: boolean
}

/** Shows the unusual facts of a call; the reason of a failure, in full; for anything else the row's own text. */
export function DetailCell({ entry, other, withPrice }: DetailCellProps) {
  const { t } = useTranslation('logs')
  if (isFailedCall(entry)) return <FailureCell entry={entry} other={other} />
  if (!isCall(entry)) {
    return (
      <span className="flex min-w-0 items-baseline gap-2">
        {entry.quota !== 0 && <CostCell entry={entry} />}
        <span className="truncate" title={entry.content}>
          {entry.content}
        </span>
      </span>
    )
  }
  return (
    <span className="flex min-w-0 items-center gap-1.5 max-sm:justify-end">
      {other.ended && <Tag tone="warn">{t('flag.ended')}</Tag>}
      {other.usage_disbelieved && <Tag tone="warn">{t('flag.disbelieved')}</Tag>}
      {other.estimated && !other.usage_disbelieved && <Tag tone="info">{t('flag.estimated')}</Tag>}
      {withPrice && (
        <span className="truncate text-muted text-xs">
          <ShortFormula other={other} />
        </span>
      )}
    </span>
  )
}

/** Shows the reason of a failed call. */
export function FailureCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const text = useFailureText()(entry, other)
  return (
    <span className="flex items-start gap-1.5 text-bad text-xs leading-4" title={text}>
      <CircleX className="mt-0.5 size-3.5 shrink-0 max-sm:hidden" aria-hidden />
      <span className="min-w-0 break-words max-sm:line-clamp-2">{text}</span>
    </span>
  )
}

function ShortFormula({ other }: { readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const { model_price, model_ratio, group_ratio = 1, cache_tokens = 0, cache_ratio = 1 } = other
  if (model_price !== undefined && model_price >= 0)
    return t('short.price', { price: model_price, group: group_ratio })
  if (model_ratio === undefined) return null
  return cache_tokens > 0
    ? t('short.cached', { model: model_ratio, group: group_ratio, cache: cache_ratio })
    : t('short.ratio', { model: model_ratio, group: group_ratio })
}
