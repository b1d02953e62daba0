import {
  add,
  type Decimal,
  decimalOf,
  formatDecimal,
  multiply,
  roundToInteger,
  zero,
} from '@tollgate/base/decimal'
import type { Quota } from '../../../store/units.ts'

/** Turns dollars, which LiteLLM keeps as floating numbers, into quota: in exact decimals, each amount once, half up. */
export class Dollars {
  #amounts = 0
  #difference: Decimal = zero

  quotaOf(dollars: number, quotaPerUnit: number): Quota {
    const exact = multiply(decimalOf(dollars), decimalOf(quotaPerUnit))
    const quota = roundToInteger(exact, 'half-away')
    this.#amounts += 1
    this.#difference = add(this.#difference, decimalOf(quota), multiply(exact, decimalOf(-1)))
    return quota
  }

  /** Returns the sentence about the change by rounding, over all amounts. */
  get remark(): string {
    return `rounding: ${this.#amounts} amounts in dollars became whole units of quota; the differences come to ${formatDecimal(this.#difference)}`
  }
}
