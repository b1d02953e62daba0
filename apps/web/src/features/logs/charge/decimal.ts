import { type Decimal, decimalOf, zero } from '@tollgate/base/decimal'

/** A number of a log row, exactly as it is written. Anything but a finite number counts as zero. */
export function decimal(value: number): Decimal {
  return Number.isFinite(value) ? decimalOf(value) : zero
}
