import { cx } from '../../lib/cx.ts'
import { formatMarginRate } from '../../lib/margin.ts'
import { Money } from '../ui/money.tsx'

interface MarginFigureProps {
  /** Quota units; below zero for a loss. */
  readonly margin: number
  readonly rate: number | undefined
  /** All six decimals, for one call. */
  readonly exact?: boolean
  /** Puts the share below the amount, on a phone. */
  readonly stacked?: boolean
}

/** Shows the remainder of a charge, and its share. A loss has a minus sign and the colour of errors. */
export function MarginFigure({ margin, rate, exact = false, stacked = false }: MarginFigureProps) {
  return (
    <span className={cx('figures whitespace-nowrap', margin < 0 && 'text-bad')}>
      <Money quota={margin} exact={exact} single />
      {rate !== undefined && (
        <span
          className={cx(
            'ml-1.5 text-xs',
            margin >= 0 && 'text-muted',
            stacked && 'max-sm:ml-0 max-sm:block max-sm:text-2xs',
          )}
        >
          {formatMarginRate(rate)}
        </span>
      )}
    </span>
  )
}
