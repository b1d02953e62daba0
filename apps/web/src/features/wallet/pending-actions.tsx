import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type WireTopUpOrder } from '@tollgate/api'
import { Ban, CreditCard } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { request } from '../../lib/api/api-client.ts'
import { useConfirmedMutation } from '../../lib/confirmed-mutation.ts'
import { formatPayment } from '../../lib/format/format.ts'
import { ordersKey, resumePayment } from './api.ts'
import { canGoTo, goToCheckout } from './checkout.ts'

/** Continues the payment of an own pending order, or ends it. */
export function PendingActions({ order }: { readonly order: WireTopUpOrder }) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const body = { trade_no: order.trade_no }
  const values = { money: formatPayment(order.money, order.currency, i18n.language) }
  const refresh = () => client.invalidateQueries({ queryKey: ordersKey })
  const resume = useMutation({
    mutationFn: async () => {
      const checkout = await resumePayment(order.trade_no)
      if (!canGoTo(checkout)) throw new Error(t('pay.insecure'))
      goToCheckout(checkout)
    },
    onError: refresh,
  })
  const cancel = useConfirmedMutation(
    {
      title: t('cancel.ownTitle', values),
      description: t('cancel.description'),
      confirmLabel: t('cancel.confirm'),
      danger: true,
    },
    {
      mutationFn: () => request(calls.wallet.cancel, { body }),
      onSettled: refresh,
      meta: { successMessage: t('cancel.done') },
    },
  )
  if (order.status !== 'pending') return null
  return (
    <span className="inline-flex items-center gap-0.5">
      <IconButton
        icon={CreditCard}
        size="sm"
        label={t('resume.action', values)}
        loading={resume.isPending}
        onClick={() => resume.mutate()}
      />
      <IconButton
        icon={Ban}
        size="sm"
        label={t('cancel.action')}
        loading={cancel.isPending}
        onClick={cancel.run}
      />
    </span>
  )
}
