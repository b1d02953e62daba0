import { type MoneyDisplay, quotaToCurrency } from './format.ts'

/** Amounts of quota that forms offer (spec operations §9). */
export const quotaPresets = [500_000, 5_000_000, 25_000_000, 50_000_000, 250_000_000, 500_000_000] as const

/** Presets are round sums: "$10", and exact where an installation's unit makes them odd. */
export function presetLabel(quota: number, display: MoneyDisplay): string {
  return quotaToCurrency(quota, display).replace(/\.00$/, '')
}
