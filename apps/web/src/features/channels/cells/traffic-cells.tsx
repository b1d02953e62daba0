import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useConditionText } from '../../../components/channel-condition.ts'
import { NoValue } from '../../../components/ui/tag.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatInteger, formatPercent } from '../../../lib/format/format.ts'
import { errorRateOf, type LastHour, trafficOf } from '../channel-state.ts'

/** Shows the number of attempts that the last hour sent to it. */
export function Traffic({ hour }: { readonly hour: LastHour }) {
  const { t } = useTranslation('channels')
  const calls = trafficOf(hour)
  if (calls === 0) return <NoValue />
  const others = hour.other_failures
  return (
    <span className="figures" title={others > 0 ? t('head.otherFailures', { count: others }) : undefined}>
      {formatInteger(calls)}
    </span>
  )
}

/** Rate of errors from which on they are the first thing to look at. */
const badRate = 0.1

/** Share of the last hour's attempts that failed by the channel's fault; nothing where no attempt says. */
export function ErrorRate({ hour }: { readonly hour: LastHour }) {
  const { lastHour } = useConditionText()
  const rate = errorRateOf(hour)
  if (rate === undefined) return <NoValue />
  if (rate === 0) return <span className="figures text-muted">{formatPercent(0)}</span>
  const text = lastHour(hour)
  return (
    <span
      role="img"
      aria-label={text}
      title={text}
      className={cx(
        'figures inline-flex items-center gap-1',
        rate < badRate ? 'text-warn' : 'font-medium text-bad',
      )}
    >
      <TriangleAlert className="size-3" aria-hidden />
      {formatPercent(rate)}
    </span>
  )
}
