import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, topUpProviderFacts } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Checkbox } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatPayment, formatQuota } from '../../../lib/format/format.ts'
import { orderLists, orderSumsKey } from './api.ts'
import type { OrderDialogProps } from './complete-dialog.tsx'
import { decimalsIn, leftOf } from './left-of.ts'

/** Refunds an order, whole unless a smaller sum is typed, and says what that takes from the balance. */
export function RefundDialog({ order, onClose }: OrderDialogProps) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const left = leftOf(order).toFixed(decimalsIn(order))
  const [money, setMoney] = useState(left)
  const [reason, setReason] = useState('')
  const refunds = topUpProviderFacts[order.provider].refundsByApi && order.settled_reference === ''
  const [byHand, setByHand] = useState(!refunds)
  const paid = (text: string) => formatPayment(text, order.currency, i18n.language)
  const share = Number(money) / Number(order.money)
  const isAmount = /^\d+(\.\d+)?$/.test(money.trim()) && Number(money) > 0 && Number(money) <= Number(left)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const { trade_no, refunded_money } = order
      const body = { trade_no, refunded_money, money: money.trim(), by_hand: byHand, reason }
      return request(calls.topUpOrders.refund, { body })
    },
    onSuccess: (refunded) => {
      orderLists.show(client, refunded)
      onClose()
    },
    onSettled: () => client.invalidateQueries({ queryKey: orderSumsKey }),
    meta: { silent: true, successMessage: t('refund.done', { money: isAmount ? paid(money) : '' }) },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('refund.title', { user: order.username || `#${order.user_id}` })}
      description={t(byHand ? 'refund.byHandHint' : 'refund.byProviderHint', {
        provider: t(`provider.${order.provider}`),
      })}
      footer={
        <>
          <Button onClick={onClose}>{t('dialog.back')}</Button>
          <Button variant="danger" disabled={!isAmount} loading={isPending} onClick={() => mutate()}>
            {t(byHand ? 'refund.record' : 'refund.confirm', { money: isAmount ? paid(money) : '' })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Field
          label={t('refund.money')}
          hint={t('refund.left', { money: paid(left) })}
          error={isAmount ? undefined : t('refund.wrong', { money: paid(left) })}
          required
        >
          <Input
            value={money}
            inputMode="decimal"
            suffix={order.currency.toUpperCase()}
            onChange={(event) => setMoney(event.target.value)}
          />
        </Field>
        <Field label={t('refund.reason')} hint={t('refund.reasonHint')}>
          <Input value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {refunds && <Checkbox checked={byHand} onCheckedChange={setByHand} label={t('refund.byHand')} />}
        {isAmount && (
          <p className="text-muted text-sm">
            {t('refund.effect', { amount: formatQuota(Math.round(order.quota * share), display) })}
          </p>
        )}
        {error && <Notice tone="bad">{error.message}</Notice>}
      </div>
    </Dialog>
  )
}
