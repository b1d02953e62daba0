import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Card, Stat } from '../../../components/ui/card.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { NoValue } from '../../../components/ui/tag.tsx'
import { formatDuration, formatInteger } from '../../../lib/format/format.ts'
import { durationMsOf } from '../duration/duration.ts'
import { durationTier, firstTokenTier, tierText } from '../duration/tiers.ts'
import { isAboutCall, isCall, isFailedCall } from '../log-type.ts'

/** Shows the main figures of a request: its cost, its time, its tokens. */
export function RequestFigures({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!isAboutCall(entry)) return null
  const tookMs = durationMsOf(entry, other)
  const firstMs = entry.is_stream && other.frt !== undefined && other.frt >= 0 ? other.frt : undefined
  return (
    <Card>
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Stat label={t('bill.charged')}>
          <Money quota={entry.quota} exact />
        </Stat>
        <Stat label={t('fact.took')}>
          <span className={isFailedCall(entry) ? 'text-muted' : tierText[durationTier(tookMs / 1000)]}>
            {formatDuration(tookMs)}
          </span>
        </Stat>
        <Stat label={t('fact.firstToken')}>
          {firstMs === undefined ? (
            <NoValue />
          ) : (
            <span className={tierText[firstTokenTier(firstMs)]}>{formatDuration(firstMs)}</span>
          )}
        </Stat>
        <Stat label={t('column.tokens')}>
          {isCall(entry) ? (
            `${formatInteger(entry.prompt_tokens)} → ${formatInteger(entry.completion_tokens)}`
          ) : (
            <NoValue />
          )}
        </Stat>
      </div>
    </Card>
  )
}
