import type { LogEntry, LogOther } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Card, Figure } from '../../../components/ui/card.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { formatDuration, formatInteger } from '../../../lib/format.ts'
import { tookMsOf } from '../cells/call-cells.tsx'
import { isAboutCall, isCall } from '../log-type.ts'
import { firstTokenTier, tierText, tookTier } from '../tiers.ts'

/** What is asked first of a request: its cost, its time, its tokens. */
export function RequestFigures({ entry, other }: { readonly entry: LogEntry; readonly other: LogOther }) {
  const { t } = useTranslation('logs')
  if (!isAboutCall(entry)) return null
  const tookMs = tookMsOf(entry, other)
  const firstMs = entry.is_stream && other.frt !== undefined && other.frt >= 0 ? other.frt : undefined
  return (
    <Card>
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
        <Figure label={t('bill.charged')}>
          <Money quota={entry.quota} exact />
        </Figure>
        <Figure label={t('fact.took')}>
          <span className={tierText[tookTier(tookMs / 1000)]}>{formatDuration(tookMs)}</span>
        </Figure>
        <Figure label={t('fact.firstToken')}>
          {firstMs === undefined ? (
            <span className="text-faint">–</span>
          ) : (
            <span className={tierText[firstTokenTier(firstMs)]}>{formatDuration(firstMs)}</span>
          )}
        </Figure>
        <Figure label={t('column.tokens')}>
          {isCall(entry) ? (
            `${formatInteger(entry.prompt_tokens)} → ${formatInteger(entry.completion_tokens)}`
          ) : (
            <span className="text-faint">–</span>
          )}
        </Figure>
      </div>
    </Card>
  )
}
