import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../lib/format/format.ts'
import { type MarginRequested, marginOf, marginQuery } from '../../lib/margin.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { Money } from '../ui/money.tsx'
import { NoValue } from '../ui/tag.tsx'
import { MarginFigure } from './margin-figure.tsx'

const days = 30

/** Shows the operator's costs of the last 30 days' calls, and the remainder of their charges. */
export function RecentMargin({ of }: { readonly of: Pick<MarginRequested, 'by' | 'id' | 'model_name'> }) {
  const { t } = useTranslation('margin')
  const user = useUser()
  const mayAsk = hasPart(user, 'money') || hasPart(user, 'prices')
  const { data, error } = useQuery({ ...marginQuery({ ...of, days }), enabled: mayAsk })
  if (!mayAsk) return <NoValue />
  if (error) return <span className="text-muted">{t('failed')}</span>
  if (!data) return <span className="text-muted">…</span>
  const { total } = data
  const visible = marginOf(total)
  if (visible === undefined)
    return <span className="text-muted">{t(total.calls === 0 ? 'noCalls' : 'unknown')}</span>
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <MarginFigure margin={visible.margin} rate={visible.rate} />
      <span className="text-muted text-xs">
        {t('cost')} <Money quota={total.cost} single />
        {visible.known < 1 && <> · {t('knownOf', { share: formatPercent(visible.known) })}</>}
      </span>
    </span>
  )
}
