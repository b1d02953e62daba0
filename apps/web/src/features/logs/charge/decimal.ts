/**
 * An exact decimal number: `digits` / 10^`scale`. Charges are worked out in these, as the server does: binary fractions
 * would bend ratios such as 0.1, and then the lines of a bill would not add up.
 */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

const written = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/

/** The number as it is written, so that 0.1 is one tenth. Anything but a finite number counts as zero. */
export function decimal(value: number): Decimal {
  const [, sign = '', integer = '0', fraction = '', exponent = '0'] = written.exec(String(value)) ?? []
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(sign + integer + fraction)
  return scale >= 0 ? trim(digits, scale) : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export const zero: Decimal = { digits: 0n, scale: 0 }

export function times(...factors: readonly Decimal[]): Decimal {
  const digits = factors.reduce((product, factor) => product * factor.digits, 1n)
  return trim(
    digits,
    factors.reduce((sum, factor) => sum + factor.scale, 0),
  )
}

export function plus(...terms: readonly Decimal[]): Decimal {
  const scale = Math.max(0, ...terms.map((term) => term.scale))
  return trim(
    terms.reduce((sum, term) => sum + at(term, scale), 0n),
    scale,
  )
}

export function isZero({ digits }: Decimal): boolean {
  return digits === 0n
}

/** Rounded to a whole number, half away from zero. */
export function rounded(value: Decimal): number {
  const { digits, scale } = value
  const unit = 10n ** BigInt(scale)
  const size = digits < 0n ? -digits : digits
  const integer = (size * 2n + unit) / (unit * 2n)
  return Number(digits < 0n ? -integer : integer)
}

/** Cut to a whole number. */
export function truncated({ digits, scale }: Decimal): number {
  return Number(digits / 10n ** BigInt(scale))
}

export function isInteger({ scale }: Decimal): boolean {
  return scale === 0
}

/** The exact number as text: whole digits in groups of three, and at least `decimals` decimals. */
export function decimalText({ digits, scale }: Decimal, decimals = 0): string {
  const size = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const integer = size.slice(0, size.length - scale).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  const fraction = size.slice(size.length - scale).padEnd(decimals, '0')
  return `${digits < 0n ? '-' : ''}${integer}${fraction === '' ? '' : `.${fraction}`}`
}

/** `value` / `divisor`, exact where that is possible within `places` decimals, else rounded to them. */
export function dividedBy(value: Decimal, divisor: number, places: number): Decimal {
  const by = decimal(divisor)
  if (by.digits === 0n) return zero
  const scale = places + by.scale
  const top = value.digits * 10n ** BigInt(scale) * 2n
  const bottom = by.digits * 10n ** BigInt(value.scale) * 2n
  const away = (bottom < 0n ? -bottom : bottom) / 2n
  const quotient = (top + (top < 0n ? -away : away)) / bottom
  return trim(quotient, places)
}

function at(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale)
}

function trim(digits: bigint, scale: number): Decimal {
  if (digits === 0n) return zero
  let rest = digits
  let places = scale
  while (places > 0 && rest % 10n === 0n) {
    rest /= 10n
    places -= 1
  }
  return { digits: rest, scale: places }
}
