import type { MoneyDisplay } from '../../lib/format/money-display.ts'

/** The least that may be moved at once, in quota: one unit of currency, in whole quota. */
export function minTransfer({ quotaPerUnit }: MoneyDisplay): number {
  return Math.ceil(quotaPerUnit)
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
