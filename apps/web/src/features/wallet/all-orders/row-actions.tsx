import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { calls, type WireTopUpOrderWithUser } from '@tollgate/api'
import { Ban, CircleCheck, Copy, ScrollText, Undo2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RowControls } from '../../../components/list/index.ts'
import { RelativeTime } from '../../../components/ui/relative-time.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { copyText } from '../../../lib/browser/copy.ts'
import { useConfirmedMutation } from '../../../lib/confirmed-mutation.ts'
import { formatPayment } from '../../../lib/format/format.ts'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { toast } from '../../../lib/toast.ts'
import { OrderPrice, OrderQuota } from '../order-state.tsx'
import { orderLists } from './api.ts'
import { leftOf } from './left-of.ts'

const CompleteDialog = lazyComponent(() => import('./complete-dialog.tsx'), 'CompleteDialog')
const RefundDialog = lazyComponent(() => import('./refund-dialog.tsx'), 'RefundDialog')

interface RowActionsProps {
  readonly order: WireTopUpOrderWithUser
}

/** Refunds, ends and completions of an order by hand, and its names to be copied. */
export function RowActions({ order }: RowActionsProps) {
  const { t } = useTranslation('wallet')
  const [dialog, setDialog] = useState<'complete' | 'refund'>()
  const cancel = useCancel(order)
  const navigate = useNavigate()
  const { trade_no: tradeNo, provider_trade_no: providerId } = order
  async function copy(text: string): Promise<void> {
    if (await copyText(text)) toast.success(t('orders.copied'))
  }
  const close = () => setDialog(undefined)
  return (
    <>
      <RowControls
        onCard={<CardFacts order={order} />}
        more={t('orders.more', { order: tradeNo })}
        items={[
          order.status !== 'success' && {
            kind: 'action',
            icon: CircleCheck,
            label: t('complete.action'),
            run: () => setDialog('complete'),
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
            run: () => void navigate({ to: '/log', search: { user: order.username } }),
          },
          leftOf(order) > 0 && {
            kind: 'action',
            icon: Undo2,
            label: t('refund.action'),
            run: () => setDialog('refund'),
          },
          order.status === 'pending' && {
            kind: 'action',
            icon: Ban,
            label: t('cancel.action'),
            disabled: cancel.isPending,
            danger: true,
            run: cancel.run,
          },
        ]}
      />
      <Suspense>
        {dialog === 'complete' && <CompleteDialog order={order} onClose={close} />}
        {dialog === 'refund' && <RefundDialog order={order} onClose={close} />}
      </Suspense>
    </>
  )
}

function useCancel(order: WireTopUpOrderWithUser) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const values = {
    user: order.username || `#${order.user_id}`,
    money: formatPayment(order.money, order.currency, i18n.language),
  }
  return useConfirmedMutation(
    {
      title: t('cancel.title', values),
      description: t('cancel.description'),
      confirmLabel: t('cancel.confirm'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.topUpOrders.cancel, { body: { trade_no: order.trade_no } }),
      onSuccess: (cancelled) => orderLists.show(client, cancelled),
      meta: { successMessage: t('cancel.done') },
    },
  )
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
