import type { MoneyDisplay } from '../../lib/format/format.ts'
import { currencyToQuota } from '../../lib/format/money.ts'

/** The least that may be moved at once, in quota: one unit of currency, in whole quota. */
export function minTransfer({ quotaPerUnit }: MoneyDisplay): number {
  return Math.ceil(quotaPerUnit)
}

/** What is typed, in quota; it is typed in currency where the installation shows currency. */
export function transferOf(typed: number | undefined, display: MoneyDisplay): number | undefined {
  if (typed === undefined) return undefined
  return display.inCurrency ? currencyToQuota(typed, display) : typed
}

type TransferProblem = 'tooLittle' | 'tooMuch'

export function transferProblem(
  quota: number | undefined,
  earned: number,
  display: MoneyDisplay,
): TransferProblem | undefined {
  if (quota === undefined || quota < minTransfer(display)) return 'tooLittle'
  return quota > earned ? 'tooMuch' : undefined
}
