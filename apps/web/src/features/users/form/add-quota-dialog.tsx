import { maxBalance } from '@tollgate/api'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { Field } from '../../../components/ui/field/field.tsx'
import { NumberInput } from '../../../components/ui/field/input.tsx'
import { MoneyChange } from '../../../components/ui/money.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { formatInteger, formatQuota, type MoneyDisplay } from '../../../lib/format/format.ts'
import { currencyToQuota } from '../../../lib/format/money.ts'

export interface AddQuotaDialogProps {
  readonly balance: number
  /** What was added before and is not saved yet, in quota units. */
  readonly change: number
  readonly onChange: (change: number) => void
  readonly onClose: () => void
}

/** An amount to add or, below zero, to take, and what it makes of the balance. Nothing is saved before the form is. */
export function AddQuotaDialog({ balance, change, onChange, onClose }: AddQuotaDialogProps) {
  const { t } = useTranslation('users')
  const display = useMoneyDisplay()
  const [amount, setAmount] = useState(change === 0 ? undefined : amountOf(change, display))
  const [tried, setTried] = useState(false)
  const quota = amount === undefined ? undefined : quotaOf(amount, display)
  const after = balance + (quota ?? 0)
  const problem =
    quota === undefined ? t('quota.noNumber') : Math.abs(after) > maxBalance && t('quota.tooMuch')

  const submitText =
    quota === undefined || quota === 0
      ? t('quota.add')
      : t(quota > 0 ? 'quota.addAmount' : 'quota.deductAmount', {
          amount: formatQuota(Math.abs(quota), display),
        })

  function submit(event: FormEvent): void {
    event.preventDefault()
    // For React, the dialog is inside the sheet's form.
    event.stopPropagation()
    setTried(true)
    if (quota === undefined || problem) return
    onChange(quota)
    onClose()
  }

  return (
    <Dialog open onClose={onClose} title={t('quota.add')} size="sm">
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={t(display.inCurrency ? 'quota.amount' : 'quota.units')}
          hint={t('quota.negativeHint')}
          error={(tried && problem) || undefined}
        >
          <NumberInput
            value={amount}
            onValueChange={setAmount}
            decimal={display.inCurrency}
            suffix={quota !== undefined && display.inCurrency && formatInteger(quota)}
          />
        </Field>
        <p className="flex justify-between gap-3 rounded border bg-sunken px-3 py-2" aria-live="polite">
          <span className="text-muted">{t('field.balance')}</span>
          <MoneyChange from={balance} to={after} />
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('quota.cancel')}</Button>
          <Button type="submit" variant="primary">
            {submitText}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function quotaOf(amount: number, display: MoneyDisplay): number | undefined {
  return display.inCurrency ? currencyToQuota(amount, display) : amount
}

function amountOf(quota: number, display: MoneyDisplay): number {
  return display.inCurrency ? quota / display.quotaPerUnit : quota
}
