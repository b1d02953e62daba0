import { type ListedUser, maxBalance } from '@tollgate/api'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { Input } from '../../../components/ui/field/input.tsx'
import { QuotaInput } from '../../../components/ui/field/quota-input.tsx'
import { MoneyChange } from '../../../components/ui/money.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { useBalanceChange, useChangeText } from './use-balance-change.ts'

interface AddQuotaProps {
  readonly user: ListedUser
  /** The amount to begin with, in quota units. */
  readonly preset: number
  readonly onClose: () => void
}

/**
 * Edits an amount to add or, below zero, to take, and shows the balance afterwards. No form of its own: it stands in that of the sheet.
 */
export function AddQuota({ user, preset, onClose }: AddQuotaProps) {
  const { t } = useTranslation('users')
  const display = useMoneyDisplay()
  const [quota, setQuota] = useState<number | undefined>(preset)
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const after = user.quota + (quota ?? 0)
  const problem =
    quota === undefined || quota === 0
      ? t('quota.noNumber')
      : Math.abs(after) > maxBalance && t('quota.tooMuch')
  const textOf = useChangeText()
  const { mutate, isPending, error } = useBalanceChange(user, { onDone: onClose, silent: true })

  function apply(): void {
    setTried(true)
    if (quota !== undefined && !problem) mutate({ quota, reason })
  }

  function press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') apply()
    else onClose()
  }

  return (
    <div className="flex flex-col gap-3 border-t pt-3">
      <Field
        label={t(display.inCurrency ? 'quota.amount' : 'quota.units')}
        hint={t('quota.negativeHint')}
        error={(tried && problem) || error?.message}
      >
        <QuotaInput
          value={quota}
          onValueChange={setQuota}
          autoFocus
          onFocus={(event) => event.currentTarget.select()}
          onKeyDown={press}
        />
      </Field>
      <Field label={t('quota.reason')} hint={t('quota.reasonHint')}>
        <Input
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={press}
        />
      </Field>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex gap-2 text-sm" aria-live="polite">
          <span className="text-muted">{t('field.balance')}</span>
          <MoneyChange from={user.quota} to={after} />
        </p>
        <span className="flex gap-2">
          <Button onClick={onClose}>{t('quota.cancel')}</Button>
          <Button variant="primary" loading={isPending} onClick={apply}>
            {textOf(quota ?? 0)}
          </Button>
        </span>
      </div>
    </div>
  )
}
