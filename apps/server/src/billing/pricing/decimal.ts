/** An exact decimal number: `digits` / 10^`scale`. Ratios are decimals on paper; binary fractions would bend them. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const decimalText = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The number as it is written (shortest text that reads back the same), so that 0.1 is one tenth. */
export function decimalOf(value: number): Decimal {
  const parts = decimalText.exec(String(value))
  if (parts === null) throw new RangeError(`not a decimal number: ${value}`)
  const [, sign = '', integerPart = '', fraction = '', exponent = '0'] = parts
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(sign + integerPart + fraction)
  return scale >= 0
    ? withoutTrailingZeros(digits, scale)
    : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** The nearest double. */
export function numberOf({ digits, scale }: Decimal): number {
  return Number(`${digits}e${-scale}`)
}

/** Exact product. */
export function multiply(...factors: readonly Decimal[]): Decimal {
  let digits = 1n
  let scale = 0
  for (const factor of factors) {
    digits *= factor.digits
    scale += factor.scale
  }
  return withoutTrailingZeros(digits, scale)
}

/** The digits of `decimal` at a scale that is at least its own. */
export function digitsAt(decimal: Decimal, scale: number): bigint {
  return decimal.digits * 10n ** BigInt(scale - decimal.scale)
}

/** How the part below one unit is settled. Both are symmetric around zero. */
export type Rounding = 'half-away' | 'up'

/** `total` / `divisor` as a whole number; `divisor` is positive. */
export function divideRounded(total: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = total / divisor
  const rest = total % divisor
  const size = rest < 0n ? -rest : rest
  const away = rounding === 'up' ? size > 0n : size * 2n >= divisor
  if (!away) return quotient
  return total < 0n ? quotient - 1n : quotient + 1n
}

function withoutTrailingZeros(digits: bigint, scale: number): Decimal {
  if (digits === 0n) return { digits, scale: 0 }
  let rest = digits
  let places = scale
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n
    places -= 1
  }
  return { digits: rest, scale: places }
}
