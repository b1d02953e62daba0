import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls, type WireTopUpOrderWithUser } from '@tollgate/api'
import { CircleCheck, Copy, ScrollText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RowControls } from '../../../components/list/index.ts'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { copyText } from '../../../lib/browser/copy.ts'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { formatPayment, formatQuota } from '../../../lib/format/format.ts'
import { toast } from '../../../lib/toast.ts'
import { OrderPrice, OrderQuota } from '../order-state.tsx'
import { orderLists } from './api.ts'

interface RowActionsProps {
  readonly order: WireTopUpOrderWithUser
}

/** Completing an order that was paid without a notice, and its names to be copied. */
export function RowActions({ order }: RowActionsProps) {
  const { t } = useTranslation('wallet')
  const { complete, completing } = useComplete(order)
  const navigate = useNavigate()
  const { trade_no: tradeNo, provider_trade_no: providerId } = order
  async function copy(text: string): Promise<void> {
    if (await copyText(text)) toast.success(t('orders.copied'))
  }
  return (
    <RowControls
      onCard={<CardFacts order={order} />}
      more={t('orders.more', { order: tradeNo })}
      items={[
        order.status !== 'success' && {
          kind: 'action',
          icon: CircleCheck,
          label: t('complete.action'),
          disabled: completing,
          run: complete,
        },
        { kind: 'action', icon: Copy, label: t('orders.copyTradeNo'), run: () => void copy(tradeNo) },
        providerId !== '' && {
          kind: 'action',
          icon: Copy,
          label: t('orders.copyProviderId'),
          run: () => void copy(providerId),
        },
        order.username !== '' && {
          kind: 'action',
          icon: ScrollText,
          label: t('orders.log'),
          run: () => void navigate({ to: '/log', search: { user: order.username, range: '30d' } }),
        },
      ]}
    />
  )
}

/** Asks, credits the order once, and shows what became of it. */
function useComplete(order: WireTopUpOrderWithUser) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const values = {
    user: order.username || `#${order.user_id}`,
    amount: formatQuota(order.quota, display),
    money: formatPayment(order.money, order.currency, i18n.language),
  }
  const { run, isPending } = useConfirmedMutation(
    {
      title: t('complete.title', values),
      description: t('complete.description', values),
      confirmLabel: t('complete.confirm', values),
    },
    {
      mutationFn: () => request(calls.topUpOrders.complete, { body: { trade_no: order.trade_no } }),
      onSuccess: (completed) => orderLists.show(client, { ...order, ...completed }),
      meta: { successMessage: t('complete.done', values) },
    },
  )
  return { complete: run, completing: isPending }
}

/** Shows on a phone, beside the buttons, the payment, the credit and the time. */
function CardFacts({ order }: RowActionsProps) {
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-sm">
      <OrderPrice order={order} />
      <span className="text-muted">→</span>
      <OrderQuota order={order} />
      <RelativeTime at={order.create_time} className="text-muted text-xs" />
    </span>
  )
}
