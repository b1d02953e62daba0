import { useQueryClient } from '@tanstack/react-query'
import type { TopUpInfo } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaveForm } from '../../components/form/index.ts'
import { confirm } from '../../lib/confirm.ts'
import { formatInteger, formatPayment, formatQuota } from '../../lib/format.ts'
import { useMoneyDisplay } from '../../lib/status.ts'
import { choiceOf, minAmount, quotaOf, type TopUpForm } from './amount.ts'
import { type Checkout, payableQuery, startPayment } from './api.ts'
import { canGoTo, goToCheckout } from './checkout.ts'
import { useMethodName } from './method-name.ts'

/** The top-up form: shows what it costs, asks, places the order and leaves for the provider. */
export function useTopUpForm(info: TopUpInfo) {
  const { t, i18n } = useTranslation('wallet')
  const client = useQueryClient()
  const display = useMoneyDisplay()
  const nameOf = useMethodName()
  const start = useMemo(
    (): TopUpForm => ({ amount: minAmount(info), method: info.methods[0]?.method ?? '' }),
    [info],
  )

  /** `undefined` when the person thought better of it. */
  async function pay(values: TopUpForm): Promise<Checkout | undefined> {
    const choice = choiceOf(values, info)
    const currency = info.methods.find(({ method }) => method === values.method)?.currency
    if (!choice || !currency) return undefined
    const money = formatPayment(await client.fetchQuery(payableQuery(choice)), currency, i18n.language)
    const sure = await confirm({
      title: t('pay.title', { money, method: nameOf(choice.method) }),
      description: t('pay.description', { amount: formatQuota(quotaOf(choice.amount, info), display) }),
      confirmLabel: t('pay.confirm', { money }),
    })
    if (!sure) return undefined
    const checkout = await startPayment(choice)
    if (!canGoTo(checkout)) throw new Error(t('pay.insecure'))
    return checkout
  }

  return useSaveForm<TopUpForm, Checkout | undefined>({
    start,
    check: (values) => ({
      amount: choiceOf(values, info) ? undefined : t('topUp.tooLow', { min: formatInteger(minAmount(info)) }),
    }),
    fieldOf: { top_up_amount_low: 'amount', top_up_amount_high: 'amount', top_up_payable_low: 'amount' },
    save: pay,
    onSaved: (checkout) => checkout && goToCheckout(checkout),
  })
}
