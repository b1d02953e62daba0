import type { Language } from '@tollgate/api'
import type { Zone } from '@tollgate/api/calendar'
import { decimalOf, divide, numberOf } from '@tollgate/base/decimal'

/** Decimals of an amount in a file: exact for every common worth of a unit. */
const amountDigits = 10

const amounts = {
  charge: { en: 'Amount', zh: '金额' },
  credit: { en: 'Credited', zh: '到账金额' },
  cost: { en: 'Your cost', zh: '成本' },
  margin: { en: 'Margin', zh: '毛利' },
  balance: { en: 'Balance', zh: '余额' },
  used: { en: 'Spent', zh: '已用' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>
export type ExportedAmount = keyof typeof amounts

/** The two columns of an amount in a file: in currency, and in units. */
export function moneyHeaders(name: ExportedAmount, language: Language): [string, string] {
  const header = amounts[name][language]
  return language === 'zh'
    ? [`${header}（USD）`, `${header}（额度）`]
    : [`${header} (USD)`, `${header} (units)`]
}

/** An amount in currency, as a number without rounding errors, and beside it in units; empty for an unknown one. */
export function moneyCells(
  quota: number | null | undefined,
  quotaPerUnit: number,
): [number | string, number | string] {
  if (quota === null || quota === undefined) return ['', '']
  return [numberOf(divide(decimalOf(quota), decimalOf(quotaPerUnit), amountDigits)), quota]
}

/** ISO 8601 by the reader's clock, as `2026-11-22T09:30:00+08:00`. */
export function localTime(at: number, zone: Zone): string {
  const offset = zone.offsetAt(at)
  const local = new Date((at + offset) * 1000).toISOString().slice(0, 19)
  const minutes = Math.floor(Math.abs(offset) / 60)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
