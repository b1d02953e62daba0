/**
 * An exact decimal number: `digits` / 10^`scale`, without trailing zeros. Prices and ratios are decimals on paper:
 * binary fractions would change 0.1, and the lines of a bill would not add up.
 */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Zero. */
export const zero: Decimal = { digits: 0n, scale: 0 }

const notation = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/**
 * The number as JavaScript writes it (the shortest text that reads back the same), so that 0.1 is one tenth.
 * @throws RangeError for NaN and the infinities
 */
export function decimalOf(value: number): Decimal {
  const parts = notation.exec(String(value))
  if (parts === null) throw new RangeError(`not a decimal number: ${value}`)
  const [, sign = '', integer = '', fraction = '', exponent = '0'] = parts
  return normalized(BigInt(sign + integer + fraction), fraction.length - Number(exponent))
}

/** The nearest double. */
export function numberOf({ digits, scale }: Decimal): number {
  return Number(`${digits}e${-scale}`)
}

/** The exact sum; zero of no terms. */
export function add(...terms: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...terms.map((term) => term.scale))
  return normalized(
    terms.reduce((sum, term) => sum + digitsAt(term, scale), 0n),
    scale,
  )
}

/** The exact product; one of no factors. */
export function multiply(...factors: readonly Decimal[]): Decimal {
  let digits = 1n
  let scale = 0
  for (const factor of factors) {
    digits *= factor.digits
    scale += factor.scale
  }
  return normalized(digits, scale)
}

/** `value` / `divisor`, exact where `places` decimals suffice, else rounded to them, half away from zero. By zero it is zero. */
export function divide(value: Decimal, divisor: Decimal, positions: number): Decimal {
  if (divisor.digits === 0n) return zero
  const sign = divisor.digits < 0n ? -1n : 1n
  const total = sign * value.digits * 10n ** BigInt(positions + divisor.scale)
  const whole = sign * divisor.digits * 10n ** BigInt(value.scale)
  return normalized(divideRounded(total, whole, 'half-away'), positions)
}

/** The digits of a decimal at a scale that is at least its own. */
export function digitsAt({ digits, scale }: Decimal, atScale: number): bigint {
  return digits * 10n ** BigInt(atScale - scale)
}

/** The rounding of a fraction, alike on both sides of zero: `up` away from zero, `down` towards it. */
export type Rounding = 'half-away' | 'up' | 'down'

/** `total` / `divisor` as an integer; `divisor` is positive. */
export function divideRounded(total: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = total / divisor
  const rest = total % divisor
  const size = rest < 0n ? -rest : rest
  const isAway = rounding === 'half-away' ? size * 2n >= divisor : rounding === 'up' && size > 0n
  if (!isAway) return quotient
  return total < 0n ? quotient - 1n : quotient + 1n
}

/** The decimal as an integer. */
export function roundToInteger({ digits, scale }: Decimal, rounding: Rounding): number {
  return Number(divideRounded(digits, 10n ** BigInt(scale), rounding))
}

/** The exact number as text: integer digits in groups of three (`1,234.5`), and at least `minPositions` decimals. */
export function formatDecimal({ digits, scale }: Decimal, minPositions = 0): string {
  const size = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const integer = size.slice(0, size.length - scale).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  const fraction = size.slice(size.length - scale).padEnd(minPositions, '0')
  return `${digits < 0n ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`
}

/** @param scale negative for numbers with zeros before the point */
function normalized(digits: bigint, scale: number): Decimal {
  if (digits === 0n) return zero
  if (scale < 0) return { digits: digits * 10n ** BigInt(-scale), scale: 0 }
  let rest = digits
  let positions = scale
  while (positions > 0 && rest % 10n === 0n) {
    rest /= 10n
    positions -= 1
  }
  return { digits: rest, scale: positions }
}
