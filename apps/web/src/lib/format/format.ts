import type { MoneyDisplay } from './money-display.ts'

/** Decimals of an exact amount: one call may cost a millionth. */
export const exactDecimals = 6

/** `12345` → `12.3k`, from 10,000 on with one decimal; smaller figures as they are. */
export function abbreviateNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e9) return `${(value / 1e9).toFixed(1)}B`
  if (size >= 1e6) return `${(value / 1e6).toFixed(1)}M`
  if (size >= 1e4) return `${(value / 1e3).toFixed(1)}k`
  return String(value)
}

/** Digits in groups of three. */
export function formatInteger(value: number): string {
  return Math.trunc(value)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/**
 * Currency amount of a quota, such as `$1.50`; negative amounts as `-$1.50`. Small amounts have as many decimals as two
 * digits that count need: `$0.0012`.
 * @param fixed so many decimals, whatever the amount
 */
export function quotaToCurrency(quota: number, display: MoneyDisplay, fixed?: number): string {
  const amount = quota / display.quotaPerUnit
  const decimals = fixed ?? decimalsOf(amount)
  const text = formatDecimal(Math.abs(amount), decimals)
  // A rounded zero has no sign.
  return amount < 0 && Number(text.replaceAll(',', '')) !== 0 ? `-$${text}` : `$${text}`
}

function decimalsOf(amount: number): number {
  const size = Math.abs(amount)
  return size === 0 || size >= 0.1 ? 2 : Math.min(exactDecimals, 1 - Math.floor(Math.log10(size)))
}

/** Quota the way this installation shows it: currency, or the abbreviated number. */
export function formatQuota(quota: number, display: MoneyDisplay, fixed?: number): string {
  return display.inCurrency ? quotaToCurrency(quota, display, fixed) : abbreviateNumber(quota)
}

/** The same to the last unit. */
export function exactQuota(quota: number, display: MoneyDisplay): string {
  return display.inCurrency ? quotaToCurrency(quota, display) : formatInteger(quota)
}

/**
 * A sum of real money as payment providers name it: `formatPayment('7.30', 'cny', 'en')` → `CN¥7.30`.
 * @param amount decimal text
 * @param currency ISO 4217, in either case
 */
export function formatPayment(amount: string, currency: string, language: string): string {
  return new Intl.NumberFormat(language, { style: 'currency', currency }).format(Number(amount))
}

/** Number with grouped whole digits and exactly `decimals` decimals. */
export function formatDecimal(value: number, decimals: number): string {
  const [integer = '0', fraction] = value.toFixed(decimals).split('.')
  const grouped = integer.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Balance a provider reports, which is in currency already; long ones lose their middle digits. */
export function formatProviderBalance(balance: number): string {
  const text = balance.toFixed(2)
  const [integer = '', fraction = '00'] = text.split('.')
  return balance >= 100_000 ? `$${integer.slice(0, 2)}..${integer.slice(-2)}.${fraction}` : `$${text}`
}

/** Local time as `YYYY-MM-DD HH:mm:ss`. */
export function formatDateTime(unixSeconds: number): string {
  return formatDate(new Date(unixSeconds * 1000))
}

export function formatDate(date: Date): string {
  return `${formatDay(date)} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** `2026-11-21`, by the clock of this device. */
export function formatDay(date: Date): string {
  // Four digits: a year that is being typed starts as 0002, and a browser clears a value with fewer.
  const year = String(date.getFullYear()).padStart(4, '0')
  return `${year}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** Value for `<input type="datetime-local">`, in local time. */
export function toDateTimeInput(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000)
  return `${formatDay(date)}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** Unix seconds of a `datetime-local` value; `undefined` when it is blank or no time. */
export function fromDateTimeInput(text: string): number | undefined {
  const milliseconds = text === '' ? Number.NaN : new Date(text).getTime()
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/** A stretch of time: `840 ms`, `1.2 s`, `45 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (Math.round(milliseconds) < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${trimmed(seconds)} s`
  const integer = Math.round(seconds)
  if (integer < 120) return `${integer} s`
  return `${Math.floor(integer / 60)} min ${integer % 60} s`
}

/** Writes a number with one decimal, unless that is 0. */
function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '')
}

/** A rate from 0 to 1 as a percentage with at most one decimal. */
export function formatPercent(rate: number): string {
  const percent = rate * 100
  const figure = Number.isInteger(percent) || percent >= 10 ? Math.round(percent) : percent.toFixed(1)
  // No line breaks before the sign.
  return `${figure}\u00a0%`
}

/** Amounts of quota that forms offer (spec operations §9). */
export const quotaPresets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000] as const

/** A share of successful calls with one decimal, never rounded up: 0.9996 is not all of them. */
export function formatAvailability(share: number): string {
  return `${trimmed(Math.floor(Math.round(share * 1e6) / 1000) / 10)}\u00a0%`
}

/** Labels a preset, a round sum: "$10", and exact where an installation's unit makes it odd. */
export function presetLabel(quota: number, display: MoneyDisplay): string {
  return quotaToCurrency(quota, display).replace(/\.00$/, '')
}
