import { describe, expect, it } from 'bun:test'
import {
  abbreviateNumber,
  exactDecimals,
  formatDateTime,
  formatDecimal,
  formatDuration,
  formatInteger,
  formatPayment,
  formatPercent,
  formatProviderBalance,
  formatQuota,
  fromDateTimeInput,
  quotaToCurrency,
  toDateTimeInput,
} from './format.ts'
import { defaultMoneyDisplay } from './money-display.ts'

const display = defaultMoneyDisplay

describe('money', () => {
  it('shows quota as currency with two decimals, and six in the log', () => {
    expect(quotaToCurrency(750_000, display)).toBe('$1.50')
    expect(quotaToCurrency(1, display, exactDecimals)).toBe('$0.000002')
    expect(quotaToCurrency(617_283_500_000, display)).toBe('$1,234,567.00')
  })

  it('shows two digits that count of a small amount', () => {
    const visible = [500_000, 50_000, 49_000, 6000, 617, 61, 6, 0].map((quota) =>
      quotaToCurrency(quota, display),
    )
    expect(visible).toEqual([
      '$1.00',
      '$0.10',
      '$0.098',
      '$0.012',
      '$0.0012',
      '$0.00012',
      '$0.000012',
      '$0.00',
    ])
  })

  it('keeps the sign before the currency and none before a rounded zero', () => {
    expect(quotaToCurrency(-750_000, display)).toBe('-$1.50')
    expect(quotaToCurrency(-1, display, 2)).toBe('$0.00')
  })

  it('shows the abbreviated quota when the installation shows no currency', () => {
    expect(formatQuota(750_000, { ...display, inCurrency: false })).toBe('750.0k')
    expect(formatQuota(750_000, display)).toBe('$1.50')
  })

  it('shortens a provider balance from 100,000 on', () => {
    expect(formatProviderBalance(12.3)).toBe('$12.30')
    expect(formatProviderBalance(123456.78)).toBe('$12..56.78')
  })
})

describe('numbers', () => {
  it('abbreviates from ten thousand, a million and a billion on', () => {
    expect(abbreviateNumber(9999)).toBe('9999')
    expect(abbreviateNumber(10_000)).toBe('10.0k')
    expect(abbreviateNumber(1_000_000)).toBe('1.0M')
    expect(abbreviateNumber(2_340_000_000)).toBe('2.3B')
    expect(abbreviateNumber(-20_500)).toBe('-20.5k')
  })

  it('groups digits in threes', () => {
    expect(formatInteger(1234567)).toBe('1,234,567')
    expect(formatInteger(-1234)).toBe('-1,234')
    expect(formatDecimal(1234.5, 2)).toBe('1,234.50')
  })

  it('shows rates as percent', () => {
    expect(formatPercent(0.5)).toBe('50\u00a0%')
    expect(formatPercent(0.034)).toBe('3.4\u00a0%')
    expect(formatPercent(0.125)).toBe('13\u00a0%')
  })
})

describe('times', () => {
  it('shows local time with padded parts, and reads the picker back to the same second', () => {
    const seconds = new Date(2026, 0, 2, 3, 4, 5).getTime() / 1000
    expect(formatDateTime(seconds)).toBe('2026-01-02 03:04:05')
    expect(toDateTimeInput(seconds)).toBe('2026-01-02T03:04:05')
    expect(fromDateTimeInput(toDateTimeInput(seconds))).toBe(seconds)
  })

  it('keeps four digits of a year that is being typed', () => {
    expect(toDateTimeInput(fromDateTimeInput('0002-12-31T00:00:00') ?? 0)).toBe('0002-12-31T00:00:00')
  })

  it('reads a blank or broken time as absent', () => {
    expect(fromDateTimeInput('')).toBeUndefined()
    expect(fromDateTimeInput('soon')).toBeUndefined()
  })

  it('shows stretches of time in the unit that says most', () => {
    const visible = [0, 840.4, 999.9, 1236, 9960, 12_000, 65_400, 125_000].map(formatDuration)
    expect(visible).toEqual(['0 ms', '840 ms', '1 s', '1.2 s', '10 s', '12 s', '65 s', '2 min 5 s'])
  })
})

describe('what is paid', () => {
  it('has the currency it is paid in, and the decimals of that currency', () => {
    expect(formatPayment('7.30', 'cny', 'en')).toBe('CN¥7.30')
    expect(formatPayment('1460.00', 'usd', 'en')).toBe('$1,460.00')
    expect(formatPayment('1200', 'jpy', 'en')).toBe('¥1,200')
  })
})
