import { useMoneyDisplay } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import {
  abbreviateNumber,
  exactDecimals,
  formatInteger,
  formatQuota,
  quotaToCurrency,
} from '../../lib/format/format.ts'

export interface MoneyProps {
  /** In quota units. */
  readonly quota: number
  /** All six decimals, for what one call cost. */
  readonly exact?: boolean
  /** Leaves the second, muted figure out where there is no room. */
  readonly single?: boolean
  readonly className?: string
}

/** An amount: currency, and the quota it is, muted beside it. */
export function Money({ quota, exact = false, single = false, className }: MoneyProps) {
  const display = useMoneyDisplay()
  const fixed = exact ? exactDecimals : undefined
  const main = formatQuota(quota, display, fixed)
  const other = display.inCurrency ? abbreviateNumber(quota) : quotaToCurrency(quota, display, fixed)
  return (
    <span className={cx('figures whitespace-nowrap', className)} title={formatInteger(quota)}>
      {main}
      {!single && <span className="ml-1.5 font-normal text-muted text-xs">{other}</span>}
    </span>
  )
}

/** The amount a quota comes to, said while it is typed; for `NumberInput`'s `preview`. */
export function useMoneyPreview(): (quota: number) => string {
  const display = useMoneyDisplay()
  return (quota) => `≈ ${quotaToCurrency(quota, display)}`
}

/** What a change does to a balance: "balance 10.00 → 15.00". */
export function MoneyChange({ from, to }: { readonly from: number; readonly to: number }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Money quota={from} single className="text-muted" />
      <span aria-hidden>→</span>
      <Money quota={to} single className="font-medium" />
    </span>
  )
}
