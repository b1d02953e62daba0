import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { decimalOf, digitsAt, divideRounded, multiply } from './decimal.ts'

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
    expect(() => decimalOf(Number.NaN)).toThrow(RangeError)
    expect(() => decimalOf(Number.POSITIVE_INFINITY)).toThrow(RangeError)
  })

  it('never changes the value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e30, max: 1e30 }), (value) => {
        const { digits, scale } = decimalOf(value)
        expect(Number(`${digits}e-${scale}`)).toBe(value === 0 ? 0 : value)
      }),
    )
  })
})

describe('multiply', () => {
  it('is exact where binary fractions are not', () => {
    expect(0.1 * 0.7).not.toBe(0.07)
    expect(multiply(decimalOf(0.1), decimalOf(0.7))).toEqual({ digits: 7n, scale: 2 })
  })

  it('keeps the shortest form', () => {
    expect(multiply(decimalOf(1.25), decimalOf(4))).toEqual({ digits: 5n, scale: 0 })
    expect(multiply(decimalOf(0), decimalOf(8.219178))).toEqual({ digits: 0n, scale: 0 })
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

  it('rounds up anything above a whole number when asked', () => {
    expect(divideRounded(11n, 10n, 'up')).toBe(2n)
    expect(divideRounded(10n, 10n, 'up')).toBe(1n)
    expect(divideRounded(0n, 10n, 'up')).toBe(0n)
  })
})

describe('digitsAt', () => {
  it('writes a decimal at a finer scale', () => {
    expect(digitsAt({ digits: 125n, scale: 2 }, 4)).toBe(12500n)
  })
})
