import type { UsageTotals } from '@tollgate/api'

/** Share of calls that failed, 0 to 1; `undefined` when there was no call. */
export function errorRate({ count, errors }: Pick<UsageTotals, 'count' | 'errors'>): number | undefined {
  const calls = count + errors
  return calls === 0 ? undefined : errors / calls
}

/** From so many failures and such a share on, they are a problem and no accident. */
const fewestErrors = 3
const worrying = 0.05

export function hasHighErrorRate(totals: Pick<UsageTotals, 'count' | 'errors'>): boolean {
  return totals.errors >= fewestErrors && (errorRate(totals) ?? 0) >= worrying
}

const daysOfWeek = 7

/** For how many days a balance lasts at the pace of the week; `undefined` when nothing was spent. */
export function daysLeft(balance: number, spentInWeek: number): number | undefined {
  return spentInWeek <= 0 ? undefined : Math.max(0, balance) / (spentInWeek / daysOfWeek)
}

/** Fewer days than these are few. */
export const lowBalanceDays = 3
