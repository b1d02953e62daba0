import { type CallTotals, type Fault, faults, type OwnRefusals, type UsageTotals } from '@tollgate/api'

/** Share of calls that failed, 0 to 1; `undefined` when there was none. */
export function errorRate({ count, errors }: Pick<UsageTotals, 'count' | 'errors'>): number | undefined {
  return count + errors === 0 ? undefined : errors / (count + errors)
}

/** Number and share of failures from which on they are a problem and no accident. */
const minErrors = 3
const worrying = 0.05

/** Whether calls fail by these faults, or break off, more than by accident. */
export function hasHighErrorRate(totals: CallTotals, of: readonly Fault[]): boolean {
  const failed = sumOfFaults(totals, of) + totals.broken
  return failed >= minErrors && failed / (sumOf(totals) + totals.broken) >= worrying
}

type Totals = Pick<CallTotals, 'ok' | 'faults'>

export function sumOfFaults(totals: Totals, of: readonly Fault[]): number {
  return of.reduce((sum, fault) => sum + totals.faults[fault], 0)
}

/** Those that succeeded and those that failed. */
export function sumOf(totals: Totals): number {
  return totals.ok + sumOfFaults(totals, faults)
}

const daysOfWeek = 7

/** What the week's calls cost, and would have with those that were refused for the balance: they are needed as much. */
export function neededInWeek(
  { quota, count }: Pick<UsageTotals, 'quota' | 'count'>,
  refused: OwnRefusals | null | undefined,
): number {
  if (!refused) return quota
  return quota + refused.count * (count > 0 ? quota / count : refused.needed)
}

/** For how many days a balance lasts at the pace of the week; `undefined` when nothing was needed. */
export function daysLeft(balance: number, neededPerWeek: number): number | undefined {
  return neededPerWeek <= 0 ? undefined : Math.max(0, balance) / (neededPerWeek / daysOfWeek)
}

/** Fewer days than these are few. */
export const lowBalanceDays = 3
