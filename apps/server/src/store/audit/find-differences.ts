import { logTypes } from '@tollgate/api/roles'
import { readQuota } from '../log-index/read.ts'
import { type Program, query } from '../program.ts'
import type { Quota, Seconds } from '../units.ts'

import { accountChecks } from './account-checks.ts'
import type { Check } from './check.ts'
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
  const cleared = yield* readClearedBefore()
  const findings: AuditFinding[] = []
  for (const check of [...accountChecks, ...topUpChecks, ...logChecks])
    findings.push(...(yield* differences(check, nextHour(cleared))))
  return [...findings, ...(yield* indexDifference(cleared))]
}

/** The first hour without a cleared row. */
function nextHour(clearedBefore: Seconds): Seconds {
  return Math.ceil(clearedBefore / 3600) * 3600
}

function* differences({ sql, figures, what }: Check, from: Seconds): Program<AuditFinding[]> {
  const differ = figures.map((figure) => `${figure}_expected <> ${figure}_found`).join(' or ')
  const rows = yield* query(
    `select * from (${sql(from)}) as checked where ${differ} limit ${findingsPerCheck}`,
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

/** The index behind the log's pages must agree with the log. */
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

/** Rows of the log that are older than this may be deleted; 0 when none was ever cleared. */
function* readClearedBefore(): Program<Seconds> {
  const [clearing] = yield* query<{ cleared_before: number }>('select cleared_before from log_clearing')
  return clearing?.cleared_before ?? 0
}
