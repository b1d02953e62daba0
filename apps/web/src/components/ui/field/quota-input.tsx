import { useState } from 'react'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { currencyToQuota, quotient } from '../../../lib/format/money.ts'
import { NumberInput, type NumberInputProps } from './input.tsx'

export interface QuotaInputProps extends Omit<NumberInputProps, 'decimal' | 'suffix'> {
  /** Value in quota units; `undefined` is an empty box. */
  readonly value: number | undefined
  readonly onValueChange: (quota: number | undefined) => void
  /** Units of a dollar, where a form is about to change them. */
  readonly quotaPerUnit?: number | undefined
}

/** An amount of quota: typed in dollars where money is shown in dollars, in units where it is not. */
export function QuotaInput({ value, onValueChange, quotaPerUnit, ...rest }: QuotaInputProps) {
  const visible = useMoneyDisplay()
  const display = quotaPerUnit === undefined ? visible : { ...visible, quotaPerUnit }
  const [typed, setTyped] = useState<number>()
  if (!display.inCurrency) return <NumberInput {...rest} value={value} onValueChange={onValueChange} />

  const quotaOf = (amount: number | undefined) =>
    amount === undefined ? undefined : currencyToQuota(amount, display)
  return (
    <NumberInput
      {...rest}
      decimal
      suffix="$"
      // More decimals than a unit has stay as they were typed.
      value={quotaOf(typed) === value ? typed : value && quotient(value, display.quotaPerUnit)}
      onValueChange={(amount) => {
        setTyped(amount)
        onValueChange(quotaOf(amount))
      }}
    />
  )
}
