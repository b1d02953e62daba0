import { useTranslation } from 'react-i18next'
import { NoValue } from '../../../components/ui/tag.tsx'
import { formatDuration } from '../../../lib/format/format.ts'
import { durationMsOf } from '../duration/duration.ts'
import { firstTokenTier, slownessTier, tierText } from '../duration/tiers.ts'
import type { LogRow } from '../log-row.ts'
import { isAboutCall, isFailedCall } from '../log-type.ts'

/** Shows the duration of the complete call: coloured by how slow that is for its model, grey where it failed. */
export function DurationCell({ entry, other, typicalMs }: LogRow) {
  const { t } = useTranslation('logs')
  if (!isAboutCall(entry)) return <NoValue />
  const tookMs = durationMsOf(entry, other)
  if (isFailedCall(entry)) return <span className="text-muted">{formatDuration(tookMs)}</span>
  return (
    <span
      className={tierText[slownessTier(tookMs, typicalMs)]}
      title={
        typicalMs === undefined
          ? undefined
          : t('typicalDuration', { model: entry.model_name, duration: formatDuration(typicalMs) })
      }
    >
      {formatDuration(tookMs)}
    </span>
  )
}

/** Shows the time to the first token of a streamed call. */
export function FirstTokenCell({ entry, other }: LogRow) {
  const { frt = -1 } = other
  if (!isAboutCall(entry) || !entry.is_stream || frt < 0) return <NoValue />
  return <span className={tierText[firstTokenTier(frt)]}>{formatDuration(frt)}</span>
}
