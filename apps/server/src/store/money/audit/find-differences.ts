import { logTypes } from '@tollgate/api/roles'
import { readQuota } from '../../log/index/read.ts'
import { type Program, query } from '../../program.ts'
import type { Quota, Seconds } from '../../units.ts'

import { accountChecks } from './account-checks.ts'
import type { Check, Complete } from './check.ts'
import { logChecks } from './log-checks.ts'
import { topUpChecks } from './top-up-checks.ts'

/** One figure that does not add up. */
export interface AuditFinding {
  readonly what: string
  readonly expected: Quota
  readonly found: Quota
}

/** Most findings that one check reports: a hundred show the fault as well as a million. */
const findingsPerCheck = 100

/** Recomputes every balance and rollup from its parts and reports the differences. */
export function* findDifferences(): Program<AuditFinding[]> {
  const { cleared_before: cleared, sums_from: summed } = yield* readClearing()
  const complete = { log: nextHour(cleared), sums: nextHour(summed) }
  const findings: AuditFinding[] = []
  for (const check of [...accountChecks, ...topUpChecks, ...logChecks])
    findings.push(...(yield* differences(check, complete)))
  return [...findings, ...(yield* indexDifference(cleared))]
}

/** The first hour without a cleared row. */
function nextHour(clearedBefore: Seconds): Seconds {
  return Math.ceil(clearedBefore / 3600) * 3600
}

function* differences({ sql, figures, what }: Check, complete: Complete): Program<AuditFinding[]> {
  const differ = figures.map((figure) => `${figure}_expected <> ${figure}_found`).join(' or ')
  const rows = yield* query(
    `select * from (${sql(complete)}) as checked where ${differ} limit ${findingsPerCheck}`,
  )
  return rows.flatMap((row) =>
    figures
      .map((figure) => ({
        what: what(figure, row),
        expected: Number(row[`${figure}_expected`]),
        found: Number(row[`${figure}_found`]),
      }))
      .filter(({ expected, found }) => expected !== found),
  )
}

/** Compares the index behind the log's pages with the log. */
function* indexDifference(from: Seconds): Program<AuditFinding[]> {
  const [summed] = yield* query<{ quota: number }>(
    'select cast(coalesce(sum(quota), 0) as bigint) as quota from logs where type = ? and created_at >= ?',
    [logTypes.consumption, from],
  )
  const expected = summed?.quota ?? 0
  const found = yield* readQuota({ from })
  return expected === found
    ? []
    : [{ what: 'quota of all consumption by the log index, against the log', expected, found }]
}

/** Span of rows that a clearing deleted. */
export interface ClearedSpan {
  /** The first hour that has charges, and the time before which rows of the log may be deleted. */
  readonly from: Seconds
  readonly to: Seconds
  /** Time from which on the deleted rows left sums by key and channel. */
  readonly sumsFrom: Seconds
}

/** The time whose charges rest on sums, because the rows of the log may be deleted; `undefined` when none was ever cleared. */
export function* readClearedSpan(): Program<ClearedSpan | undefined> {
  const { cleared_before: to, sums_from: sumsFrom } = yield* readClearing()
  if (to === 0) return undefined
  const [first] = yield* query<{ hour: number | null }>('select min(hour) as hour from ledger_charges')
  const from = first?.hour ?? to
  return from < to ? { from, to, sumsFrom } : undefined
}

interface Clearing {
  readonly cleared_before: Seconds
  readonly sums_from: Seconds
}

/** Rows of the log that are older than `cleared_before` may be deleted, those from `sums_from` on left sums; 0 when none was ever cleared. */
function* readClearing(): Program<Clearing> {
  const [clearing] = yield* query<Clearing>(
    `select cleared_before, case when cleared_before > sums_to then cleared_before else sums_from end as sums_from
      from log_clearing`,
  )
  return clearing ?? { cleared_before: 0, sums_from: 0 }
}
