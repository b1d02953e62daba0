import { type AttemptTotals, type Fault, faults, operatorFaults } from '@tollgate/api'
import { getOrInsert } from '@tollgate/base'
import type { AttemptsOfModel } from '../../store/channels/read-attempt-counts.ts'

type Rows = readonly AttemptsOfModel[]

/** The sum of rows, with every fault. */
export function totalsOf(rows: Rows): AttemptTotals {
  const found = new Map<string, number>()
  for (const { outcome, count } of rows) found.set(outcome, (found.get(outcome) ?? 0) + count)
  const byFault = faults.map((fault): [Fault, number] => [fault, found.get(fault) ?? 0])
  // Every fault is among the entries.
  return { ok: found.get('ok') ?? 0, faults: Object.fromEntries(byFault) as Record<Fault, number> }
}

/** The models that fail most by a fault that is not the caller's. */
export function failingModels(rows: Rows, limit: number) {
  return maxFailing(
    rows,
    ({ model }) => model,
    (totals) => operatorFaults.reduce((sum, fault) => sum + totals.faults[fault], 0),
    limit,
  ).map(({ key, totals }) => ({ model_name: key, ...totals }))
}

/** The channels that fail most by their own fault. */
export function failingChannels(rows: Rows, limit: number) {
  return maxFailing(
    rows.filter(({ channelId }) => channelId > 0),
    ({ channelId }) => channelId,
    (totals) => totals.faults.upstream,
    limit,
  ).map(({ key, totals }) => ({ channel: key, ...totals }))
}

function maxFailing<Key>(
  rows: Rows,
  keyOf: (row: AttemptsOfModel) => Key,
  failuresOf: (totals: AttemptTotals) => number,
  limit: number,
) {
  const byKey = new Map<Key, AttemptsOfModel[]>()
  for (const row of rows) getOrInsert(byKey, keyOf(row), () => []).push(row)
  return [...byKey]
    .map(([key, those]) => ({ key, totals: totalsOf(those) }))
    .filter(({ totals }) => failuresOf(totals) > 0)
    .sort((a, b) => failuresOf(b.totals) - failuresOf(a.totals))
    .slice(0, limit)
}
