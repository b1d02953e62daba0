import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Tag } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { useFailureText } from '../failure/use-failure-text.ts'
import { isCall, isFailedCall } from '../log-type.ts'

/** The price in short for a call, with what was unusual about it; why it failed; for anything else what the row says. */
export function DetailCell({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  const failureText = useFailureText()
  if (isFailedCall(entry)) return <LongText text={failureText(entry, other)} bad />
  if (!isCall(entry)) return <LongText text={entry.content} />
  return (
    <span className="flex min-w-0 items-center gap-1.5 max-sm:justify-end">
      {other.ended && <Tag tone="warn">{t('flag.ended')}</Tag>}
      {other.usage_disbelieved && <Tag tone="warn">{t('flag.disbelieved')}</Tag>}
      {other.estimated && !other.usage_disbelieved && <Tag tone="info">{t('flag.estimated')}</Tag>}
      <span className="truncate text-muted text-xs">
        <ShortFormula other={other} />
      </span>
    </span>
  )
}

/** One line of it; all of it in the details and on hover. */
function LongText({ text, bad = false }: { readonly text: string; readonly bad?: boolean }) {
  return (
    <span className={cx('block max-w-72 truncate', bad && 'text-bad')} title={text}>
      {text}
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
