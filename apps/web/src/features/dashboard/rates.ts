import { type AttemptTotals, type Fault, faults, operatorFaults } from '@tollgate/api'

/** The faults that count as errors: a caller without a balance is no failure of the gateway, but one of its own. */
export function faultsFor(admin: boolean): readonly Fault[] {
  return admin ? operatorFaults : faults
}

/** Share of attempts that failed by these faults, 0 to 1; `undefined` when there was no attempt. */
export function errorRate(totals: AttemptTotals, of: readonly Fault[]): number | undefined {
  const attempts = attemptsOf(totals)
  return attempts === 0 ? undefined : sumOfFaults(totals, of) / attempts
}

/** Number and share of failures from which on they are a problem and no accident. */
const minErrors = 3
const worrying = 0.05

/** Decides whether attempts fail by these faults more than by accident. */
export function hasHighErrorRate(totals: AttemptTotals, of: readonly Fault[]): boolean {
  const failed = sumOfFaults(totals, of)
  return failed >= minErrors && failed / attemptsOf(totals) >= worrying
}

export function sumOfFaults(totals: AttemptTotals, of: readonly Fault[]): number {
  return of.reduce((sum, fault) => sum + totals.faults[fault], 0)
}

export function attemptsOf(totals: AttemptTotals): number {
  return totals.ok + sumOfFaults(totals, faults)
}

const daysOfWeek = 7

/** Returns the days for which a balance lasts at the pace of the week; `undefined` when nothing was spent. */
export function daysLeft(balance: number, spentInWeek: number): number | undefined {
  return spentInWeek <= 0 ? undefined : Math.max(0, balance) / (spentInWeek / daysOfWeek)
}

/** Fewer days than these are few. */
export const lowBalanceDays = 3
