import { useMoneyDisplay } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import { exactDecimals, formatInteger, formatQuota, quotaToCurrency } from '../../lib/format/format.ts'

export interface MoneyProps {
  /** Amount in quota units. */
  readonly quota: number
  /** All six decimals, for what one call cost. */
  readonly exact?: boolean
  /** Leaves the second, muted figure out where there is no room. */
  readonly single?: boolean
  readonly className?: string
}

/** An amount: in currency; where the installation shows quota units, those, and the currency muted beside them. */
export function Money({ quota, exact = false, single = false, className }: MoneyProps) {
  const display = useMoneyDisplay()
  const fixed = exact ? exactDecimals : undefined
  const title = display.inCurrency ? quotaToCurrency(quota, display, exactDecimals) : formatInteger(quota)
  return (
    <span className={cx('figures whitespace-nowrap', className)} title={title}>
      {formatQuota(quota, display, fixed)}
      {!single && !display.inCurrency && (
        <span className="ml-1.5 font-normal text-muted text-xs">
          {quotaToCurrency(quota, display, fixed)}
        </span>
      )}
    </span>
  )
}

/** Shows the effect of a change on a balance: "balance 10.00 → 15.00". */
export function MoneyChange({ from, to }: { readonly from: number; readonly to: number }) {
  return (
    <span className="inline-flex items-baseline gap-1.5">
      <Money quota={from} single className="text-muted" />
      <span aria-hidden>→</span>
      <Money quota={to} single className="font-medium" />
    </span>
  )
}
