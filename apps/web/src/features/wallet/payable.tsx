import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import type { TopUpInfo } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { formatPayment } from '../../lib/format.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { choiceOf, type TopUpForm } from './amount.ts'
import { payableQuery } from './api.ts'

interface PayableProps {
  readonly info: TopUpInfo
  readonly values: TopUpForm
}

/** Long enough for somebody who types a number to have typed it. */
const typingMs = 300

/** What the amount as typed costs, asked of the server. */
export function Payable({ info, values }: PayableProps) {
  const { t, i18n } = useTranslation('wallet')
  const amount = useDebounced(values.amount, typingMs)
  const choice = choiceOf({ amount, method: values.method }, info)
  const { queryFn, ...query } = payableQuery(choice ?? { amount: 0, method: '' })
  const { data, error, isPlaceholderData } = useQuery({
    ...query,
    queryFn: choice ? (queryFn ?? skipToken) : skipToken,
    placeholderData: keepPreviousData,
  })
  const currency = info.methods.find(({ method }) => method === values.method)?.currency
  const known = choice && data !== undefined && currency && !(error || isPlaceholderData)
  return (
    <p className="flex items-baseline justify-between gap-3 rounded border bg-sunken px-3 py-2.5">
      <span className="text-muted text-sm">{t('payable.label')}</span>
      <span className="figures font-semibold text-base" aria-live="polite">
        {known ? (
          formatPayment(data, currency, i18n.language)
        ) : error && choice ? (
          <span className="font-normal text-bad text-sm">{error.message}</span>
        ) : (
          '…'
        )}
      </span>
    </p>
  )
}
