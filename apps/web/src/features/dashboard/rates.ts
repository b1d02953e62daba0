import type { AttemptTotals, Fault, UsageTotals } from '@tollgate/api'
import { faults } from '@tollgate/api'

/** Share of calls that failed, 0 to 1; `undefined` when there was no call. */
export function errorRate({ count, errors }: Pick<UsageTotals, 'count' | 'errors'>): number | undefined {
  const calls = count + errors
  return calls === 0 ? undefined : errors / calls
}

/** From so many failures and such a share on, they are a problem and no accident. */
const fewestErrors = 3
const worrying = 0.05

/** Whether attempts fail by these faults more than by accident. */
export function hasHighErrorRate(totals: AttemptTotals, of: readonly Fault[]): boolean {
  const failed = sumOfFaults(totals, of)
  return failed >= fewestErrors && failed / attemptsOf(totals) >= worrying
}

export function sumOfFaults(totals: AttemptTotals, of: readonly Fault[]): number {
  return of.reduce((sum, fault) => sum + totals.faults[fault], 0)
}

export function attemptsOf(totals: AttemptTotals): number {
  return totals.ok + sumOfFaults(totals, faults)
}

const daysOfWeek = 7

/** For how many days a balance lasts at the pace of the week; `undefined` when nothing was spent. */
export function daysLeft(balance: number, spentInWeek: number): number | undefined {
  return spentInWeek <= 0 ? undefined : Math.max(0, balance) / (spentInWeek / daysOfWeek)
}

/** Fewer days than these are few. */
export const lowBalanceDays = 3
