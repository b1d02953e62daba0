import type { TopUpState, WireTopUpOrder } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { StatusDot, type Tone } from '../../components/ui/tag.tsx'
import { formatPayment } from '../../lib/format/format.ts'

const tones = {
  pending: 'warn',
  success: 'good',
  expired: 'neutral',
  failed: 'bad',
  cancelled: 'neutral',
  refunded: 'neutral',
  disputed: 'warn',
  charged_back: 'bad',
} as const satisfies Record<TopUpState, Tone>

interface OrderProps {
  readonly order: WireTopUpOrder
}

/** Returns the state of an order: the reversal of a paid one says more than its payment. */
function stateOf({ status, reversal }: Pick<WireTopUpOrder, 'status' | 'reversal'>): TopUpState {
  return reversal === 'none' ? status : reversal
}

export function OrderState({ order }: OrderProps) {
  const { t } = useTranslation('wallet')
  const state = stateOf(order)
  const isPart = state === 'refunded' && order.refunded_quota < order.quota
  return <StatusDot tone={tones[state]}>{t(isPart ? 'status.partly_refunded' : `status.${state}`)}</StatusDot>
}

/** Shows the credit of an order, and its reversed part. */
export function OrderQuota({ order }: OrderProps) {
  const { t } = useTranslation('wallet')
  const { quota, status } = order
  const taken = order.refunded_quota + order.disputed_quota
  // Nothing is credited before it is paid.
  if (status !== 'success') return <Money quota={quota} single className="text-muted" />
  if (taken === 0) return <Money quota={quota} />
  return (
    <span className="inline-flex items-baseline gap-1.5 whitespace-nowrap">
      <Money quota={quota - taken} single />
      <span className="text-muted text-xs">
        {t('orders.of')} <Money quota={quota} single />
      </span>
    </span>
  )
}

/** Shows the price of an order, in the currency of the payment. */
export function OrderPrice({ order: { money, currency } }: OrderProps) {
  const { i18n } = useTranslation()
  return <span className="figures whitespace-nowrap">{formatPayment(money, currency, i18n.language)}</span>
}
