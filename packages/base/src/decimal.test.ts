import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import {
  add,
  decimalOf,
  digitsAt,
  divide,
  divideRounded,
  formatDecimal,
  multiply,
  numberOf,
  roundToInteger,
  zero,
} from './decimal.ts'

const text = (value: number, positions?: number) => formatDecimal(decimalOf(value), positions)

describe('decimalOf', () => {
  it.each([
    [0.1, 1n, 1],
    [1.25, 125n, 2],
    [4, 4n, 0],
    [0, 0n, 0],
    [-0.5, -5n, 1],
    [4 / 3, 13333333333333333n, 16],
    [8.219178, 8219178n, 6],
    [1e-7, 1n, 7],
    [2.5e-9, 25n, 10],
    [1.5e21, 1500000000000000000000n, 0],
  ])('reads %p as it is written', (value, digits, scale) => {
    expect(decimalOf(value)).toEqual({ digits, scale })
  })

  it('refuses what is not a number', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => decimalOf(value)).toThrow(RangeError)
  })

  it('never changes the value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }), (value) => {
        expect(numberOf(decimalOf(value))).toBe(value === 0 ? 0 : value)
      }),
    )
  })
})

describe('add and multiply', () => {
  it('are exact where binary fractions are not', () => {
    expect(0.1 * 0.7).not.toBe(0.07)
    expect(multiply(decimalOf(0.1), decimalOf(0.7))).toEqual({ digits: 7n, scale: 2 })
    expect(add(decimalOf(0.1), decimalOf(0.2))).toEqual({ digits: 3n, scale: 1 })
  })

  it('return the shortest form', () => {
    expect(multiply(decimalOf(1.25), decimalOf(4))).toEqual({ digits: 5n, scale: 0 })
    expect(multiply(zero, decimalOf(8.219178))).toEqual({ digits: 0n, scale: 0 })
    expect(add()).toEqual(zero)
  })
})

describe('divide', () => {
  it('is exact where the decimals suffice, and rounds where they do not', () => {
    const quotient = (value: number, divisor: number, positions: number) =>
      formatDecimal(divide(decimalOf(value), decimalOf(divisor), positions))
    expect(quotient(0.38, 500_000, 12)).toBe('0.00000076')
    expect(quotient(1, 3, 4)).toBe('0.3333')
    expect(quotient(2, 3, 4)).toBe('0.6667')
    expect(quotient(2, -3, 4)).toBe('-0.6667')
    expect(quotient(2, 0, 4)).toBe('0')
  })
})

describe('divideRounded', () => {
  it.each([
    [4n, 10n, 0n],
    [5n, 10n, 1n],
    [15n, 10n, 2n],
    [25n, 10n, 3n],
    [-5n, 10n, -1n],
    [-4n, 10n, 0n],
    [30n, 10n, 3n],
  ])('rounds %p/%p half away from zero', (total, divisor, expected) => {
    expect(divideRounded(total, divisor, 'half-away')).toBe(expected)
  })

  it('rounds away from zero, or truncates, on request', () => {
    expect([0n, 10n, 11n, -11n].map((total) => divideRounded(total, 10n, 'up'))).toEqual([0n, 1n, 2n, -2n])
    expect([19n, -19n].map((total) => divideRounded(total, 10n, 'down'))).toEqual([1n, -1n])
  })
})

describe('roundToInteger', () => {
  it('rounds half away from zero, or truncates', () => {
    const halves = [0.49, 0.5, 1.5, 2.5, -0.5, -0.49]
    expect(halves.map((value) => roundToInteger(decimalOf(value), 'half-away'))).toEqual([0, 1, 2, 3, -1, 0])
    expect(roundToInteger(decimalOf(1.99), 'down')).toBe(1)
  })
})

describe('formatDecimal', () => {
  it('writes the exact number of every notation', () => {
    expect([0.1, 1e21, 2.5e-7, -1234.5].map((value) => text(value))).toEqual([
      '0.1',
      '1,000,000,000,000,000,000,000',
      '0.00000025',
      '-1,234.5',
    ])
  })

  it('shows at least the requested decimals', () => {
    expect([text(2.5, 2), text(0.0001234567, 6), text(3, 2)]).toEqual(['2.50', '0.0001234567', '3.00'])
  })
})

describe('digitsAt', () => {
  it('writes a decimal at a finer scale', () => {
    expect(digitsAt({ digits: 125n, scale: 2 }, 4)).toBe(12500n)
  })
})
