import { logTypes } from '@tollgate/api/roles'
import { readQuota } from '../log-index/read.ts'
import { type Program, query } from '../program.ts'
import type { AuditFinding } from '../store.ts'
import { type Check, checks } from './checks.ts'

/** Findings of one check that are told; the first hundred say what is wrong as well as the first million. */
const findingsPerCheck = 100

/** Recomputes every balance and rollup from its parts and tells what differs. */
export function* findDifferences(): Program<AuditFinding[]> {
  const findings: AuditFinding[] = []
  for (const check of checks) findings.push(...(yield* differences(check)))
  return [...findings, ...(yield* indexDifference())]
}

function* differences({ sql, figures, what }: Check): Program<AuditFinding[]> {
  const differ = figures.map((figure) => `${figure}_expected <> ${figure}_found`).join(' or ')
  const rows = yield* query(`select * from (${sql}) as checked where ${differ} limit ${findingsPerCheck}`)
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

/** What the pages of the log are made from must say what the log says. */
function* indexDifference(): Program<AuditFinding[]> {
  const [summed] = yield* query<{ quota: number }>(
    'select cast(coalesce(sum(quota), 0) as bigint) as quota from logs where type = ?',
    [logTypes.consumption],
  )
  const expected = summed?.quota ?? 0
  const found = yield* readQuota({})
  return expected === found
    ? []
    : [{ what: 'quota of all consumption by the log index, against the log', expected, found }]
}
