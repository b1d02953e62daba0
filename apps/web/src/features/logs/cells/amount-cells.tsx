import type { LogEntry } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { MarginFigure } from '../../../components/margin/margin-figure.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { NoValue, Tag } from '../../../components/ui/tag.tsx'
import { formatInteger } from '../../../lib/format/format.ts'
import { marginRate } from '../../../lib/margin.ts'
import { isCall, isFailedCall } from '../log-type.ts'

/** Shows the cost, and on a tablet its tokens below; money that came in is marked as such. */
export function CostCell({
  entry,
  withTokens = false,
}: {
  readonly entry: LogEntry
  readonly withTokens?: boolean
}) {
  const { t } = useTranslation('logs')
  if (isFailedCall(entry)) return <Tag tone="bad">{t('type.error')}</Tag>
  if (isCall(entry))
    return (
      <>
        <Money quota={entry.quota} exact single />
        {withTokens && (
          <span className="block truncate text-2xs text-muted leading-4">
            <TokensCell entry={entry} />
          </span>
        )}
      </>
    )
  if (entry.quota === 0) return <NoValue />
  return (
    <span className="text-good">
      +<Money quota={entry.quota} exact single />
    </span>
  )
}

/** Shows the remainder of the charge after the operator's costs of the call. */
export function MarginCell({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation('logs')
  const { quota, cost } = entry
  if (!isCall(entry) || cost === undefined) return <NoValue />
  if (cost === null) return <span className="text-muted text-xs">{t('cell.noCost')}</span>
  return <MarginFigure margin={quota - cost} rate={marginRate(quota, cost)} exact />
}

export function CountCell({ count }: { readonly count: number }) {
  return count === 0 ? <NoValue /> : formatInteger(count)
}

/** Prompt and completion in one figure. */
export function TokensCell({ entry }: { readonly entry: LogEntry }) {
  if (!isCall(entry)) return <NoValue />
  return `${formatInteger(entry.prompt_tokens)} → ${formatInteger(entry.completion_tokens)}`
}
