import { Link } from '@tanstack/react-router'
import type { ModelChannelCost } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { alwaysLosing, LosingTimes } from '../../components/prices/losing-times.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { localList } from '../../i18n/local-list.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import { formatPrice, tokenPriceOf } from '../../lib/format/price.ts'
import { formatMarginRate } from '../../lib/margin.ts'
import { knownCosts, lowestMargin } from './model-cost.ts'
import type { ModelRow } from './model-rows.ts'

interface RowProps {
  readonly row: ModelRow
}

/** Shows the cost of the model for the operator at its most expensive channel. */
export function CostCell({ row: { costs } }: RowProps) {
  const [max] = knownCosts(costs)
  return max === undefined ? <NoValue /> : <CostText cost={max} />
}

/** The least that a charge leaves at any channel. */
export function MarginCell({ row }: RowProps) {
  const rates = knownCosts(row.costs)
    .map((cost) => lowestMargin(row, cost))
    .filter((rate) => rate !== undefined)
  return rates.length === 0 ? <NoValue /> : <Rate rate={Math.min(...rates)} />
}

function Rate({ rate }: { readonly rate: number }) {
  return <span className={cx('figures', rate < 0 && 'text-bad')}>{formatMarginRate(rate)}</span>
}

function CostText({ cost }: { readonly cost: ModelChannelCost }) {
  const { t } = useTranslation('models')
  const { quotaPerUnit } = useMoneyDisplay()
  if (cost.quota_type === 1) return t('perCall', { price: formatPrice(cost.model_price) })
  const priceOf = (kind: 'input' | 'output') =>
    formatPrice(tokenPriceOf(cost, kind, 1, quotaPerUnit)?.price ?? 0)
  return `${priceOf('input')} → ${priceOf('output')}`
}

/** Channel by channel: what it takes, what the price leaves, and the groups that are charged less than that. */
export function ChannelCosts({ row }: RowProps) {
  const { t } = useTranslation('models')
  return (
    <ul className="flex flex-col gap-2" aria-label={t('sheet.costs')}>
      {row.channels.map((channel) => {
        const cost = row.costs.find((each) => each.channel === channel.id && each.source !== 'unknown')
        const rate = cost && lowestMargin(row, cost)
        return (
          <li key={channel.id} className="text-sm">
            <span className="flex items-baseline justify-between gap-3">
              <Link
                to="/channel/edit/$id"
                params={{ id: String(channel.id) }}
                className="min-w-0 truncate text-accent-text hover:underline"
              >
                {channel.name}
              </Link>
              <span className="figures flex-none">
                {cost ? <CostText cost={cost} /> : <span className="text-muted">{t('sheet.noCost')}</span>}
                {rate !== undefined && (
                  <span className="ml-2">
                    <Rate rate={rate} />
                  </span>
                )}
              </span>
            </span>
            {cost !== undefined && <Losses cost={cost} />}
          </li>
        )
      })}
    </ul>
  )
}

function Losses({ cost }: { readonly cost: ModelChannelCost }) {
  const { t } = useTranslation('models')
  const always = alwaysLosing(cost)
  return (
    <div className="text-bad text-xs">
      {always.length > 0 && t('sheet.losing', { groups: localList(always) })}
      <LosingTimes times={cost.losing_times ?? []} />
    </div>
  )
}
