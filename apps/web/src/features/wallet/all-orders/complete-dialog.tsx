import { useMutation, useQueryClient } from '@tanstack/react-query'
import { calls, type WireTopUpOrderWithUser } from '@tollgate/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { RadioGroup } from '../../../components/ui/field/choice.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { request } from '../../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatPayment, formatQuota } from '../../../lib/format/format.ts'
import { orderLists, orderSumsKey } from './api.ts'

/** Order of a dialog, and its end. */
export interface OrderDialogProps {
  readonly order: WireTopUpOrderWithUser
  readonly onClose: () => void
}

const ways = ['provider', 'elsewhere'] as const

/** Credits an order by hand: its payment has no notice, or arrived elsewhere. */
export function CompleteDialog({ order, onClose }: OrderDialogProps) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const [way, setWay] = useState<(typeof ways)[number]>('provider')
  const [reference, setReference] = useState('')
  const [reason, setReason] = useState('')
  const values = {
    user: order.username || `#${order.user_id}`,
    amount: formatQuota(order.quota, display),
    money: formatPayment(order.money, order.currency, i18n.language),
  }
  const isElsewhere = way === 'elsewhere'
  const isReady = !isElsewhere || (reference.trim() !== '' && reason.trim() !== '')
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      request(calls.topUpOrders.complete, {
        body: { trade_no: order.trade_no, ...(isElsewhere && { reference, reason }) },
      }),
    onSuccess: (completed) => {
      orderLists.show(client, completed)
      void client.invalidateQueries({ queryKey: orderSumsKey })
      onClose()
    },
    meta: { silent: true, successMessage: t('complete.done', values) },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('complete.title', values)}
      description={t('complete.description')}
      footer={
        <>
          <Button onClick={onClose}>{t('dialog.back')}</Button>
          <Button variant="primary" disabled={!isReady} loading={isPending} onClick={() => mutate()}>
            {t('complete.confirm', values)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <RadioGroup
          value={way}
          onValueChange={setWay}
          options={ways.map((value) => ({
            value,
            label: t(`complete.way.${value}`),
            hint: t(`complete.hint.${value}`, values),
          }))}
        />
        {isElsewhere && (
          <>
            <Field label={t('complete.reference')} hint={t('complete.referenceHint')} required>
              <Input
                value={reference}
                maxLength={200}
                onChange={(event) => setReference(event.target.value)}
              />
            </Field>
            <Field label={t('refund.reason')} required>
              <Input value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} />
            </Field>
          </>
        )}
        {error && <Notice tone="bad">{error.message}</Notice>}
      </div>
    </Dialog>
  )
}
