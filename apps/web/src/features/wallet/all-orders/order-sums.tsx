import { useQuery } from '@tanstack/react-query'
import type { TopUpSum } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../../components/ui/money.tsx'
import { formatInteger, formatPayment } from '../../../lib/format/format.ts'
import { type OrderFilter, orderSumsQuery } from './api.ts'

/** Shows what the paid orders under the filter come to, a line per currency. */
export function OrderSums({ filter }: { readonly filter: OrderFilter }) {
  const { data: sums = [] } = useQuery(orderSumsQuery(filter))
  const { t } = useTranslation('wallet')
  if (sums.length === 0) return null
  return (
    <section
      aria-label={t('sums.title')}
      className="flex flex-col gap-1 rounded-lg border bg-surface px-3.5 py-2"
    >
      {sums.map((sum) => (
        <CurrencySum key={sum.currency} sum={sum} />
      ))}
    </section>
  )
}

const figures = ['paid', 'refunded', 'disputed', 'net'] as const

function CurrencySum({ sum }: { readonly sum: TopUpSum }) {
  const { t, i18n } = useTranslation('wallet')
  const visible = figures.filter((name) => name !== 'disputed' || Number(sum.disputed) !== 0)
  return (
    <dl className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-sm">
      {visible.map((name) => (
        <div key={name} className="flex items-baseline gap-1.5">
          <dt className="text-muted text-xs">{t(`sums.${name}`)}</dt>
          <dd className={name === 'net' ? 'figures font-semibold' : 'figures'}>
            {formatPayment(sum[name], sum.currency, i18n.language)}
          </dd>
        </div>
      ))}
      <div className="ml-auto flex items-baseline gap-1.5 text-muted text-xs max-sm:ml-0">
        <dt>{t('sums.orders', { count: sum.orders, orders: formatInteger(sum.orders) })}</dt>
        <dd>
          {t('sums.credited')} <Money quota={sum.quota} single />
        </dd>
      </div>
    </dl>
  )
}
