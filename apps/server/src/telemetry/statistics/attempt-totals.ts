import { type AttemptTotals, type CallTotals, type Fault, faults, operatorFaults } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { AttemptsOfModel, CallsOfModel } from '../../store/channels/read-attempt-counts.ts'

/** The sum of attempts, with every fault. */
export function attemptTotalsOf(rows: readonly CallsOfModel[]): AttemptTotals {
  const { broken: _broken, ...totals } = callTotalsOf(rows)
  return totals
}

/** The sum of calls, with every fault. */
export function callTotalsOf(rows: readonly CallsOfModel[]): CallTotals {
  const found = new Map<string, number>()
  for (const { outcome, count } of rows) found.set(outcome, (found.get(outcome) ?? 0) + count)
  const byFault = faults.map((fault): [Fault, number] => [fault, found.get(fault) ?? 0])
  return {
    ok: found.get('ok') ?? 0,
    broken: found.get('broken') ?? 0,
    // Every fault is among the entries.
    faults: Object.fromEntries(byFault) as Record<Fault, number>,
  }
}

/** Of today, and of today and the days before. */
export function ofDays<Row extends CallsOfModel, Totals>(
  rows: readonly Row[],
  totalsOf: (rows: readonly Row[]) => Totals,
): { readonly today: Totals; readonly week: Totals } {
  return { today: totalsOf(rows.filter(({ isToday }) => isToday)), week: totalsOf(rows) }
}

/** The models whose calls fail most by a fault that is not the caller's, all of them. */
export function failingModels(rows: readonly CallsOfModel[]) {
  return maxFailing(
    rows,
    ({ model }) => model,
    callTotalsOf,
    ({ broken, faults: byFault }) => operatorFaults.reduce((sum, fault) => sum + byFault[fault], broken),
  ).map(({ key, totals }) => ({ model_name: key, ...totals }))
}

/** The channels that fail most by their own fault, all of them. */
export function failingChannels(rows: readonly AttemptsOfModel[]) {
  return maxFailing(
    rows,
    ({ channelId }) => channelId,
    attemptTotalsOf,
    (totals) => totals.faults.upstream,
  ).map(({ key, totals }) => ({ channel: key, ...totals }))
}

function maxFailing<Row, Key, Totals>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
  totalsOf: (rows: readonly Row[]) => Totals,
  failuresOf: (totals: Totals) => number,
) {
  const byKey = new Map<Key, Row[]>()
  for (const row of rows) getOrInsert(byKey, keyOf(row), () => []).push(row)
  return [...byKey]
    .map(([key, those]) => ({ key, totals: totalsOf(those) }))
    .filter(({ totals }) => failuresOf(totals) > 0)
    .sort((a, b) => failuresOf(b.totals) - failuresOf(a.totals))
}
