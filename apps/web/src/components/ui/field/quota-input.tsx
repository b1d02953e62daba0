import { useState } from 'react'
import { useMoneyDisplay } from '../../../lib/api/status.ts'
import { currencyToQuota, quotient } from '../../../lib/format/money.ts'
import { NumberInput, type NumberInputProps } from './input.tsx'

export interface QuotaInputProps extends Omit<NumberInputProps, 'decimal' | 'suffix'> {
  /** In quota units; `undefined` is an empty box. */
  readonly value: number | undefined
  readonly onValueChange: (quota: number | undefined) => void
}

interface Typed {
  readonly amount: number | undefined
  readonly quota: number | undefined
}

/** An amount of quota: typed in dollars where money is shown in dollars, in units where it is not. */
export function QuotaInput({ value, onValueChange, ...rest }: QuotaInputProps) {
  const display = useMoneyDisplay()
  const [typed, setTyped] = useState<Typed>()
  if (!display.inCurrency) return <NumberInput {...rest} value={value} onValueChange={onValueChange} />

  function type(amount: number | undefined): void {
    const quota = amount === undefined ? undefined : currencyToQuota(amount, display)
    setTyped({ amount, quota })
    onValueChange(quota)
  }
  // More decimals than a unit has stay as they were typed.
  const amount =
    typed !== undefined && typed.quota === value
      ? typed.amount
      : value && quotient(value, display.quotaPerUnit)
  return <NumberInput {...rest} decimal value={amount} onValueChange={type} suffix="$" />
}
