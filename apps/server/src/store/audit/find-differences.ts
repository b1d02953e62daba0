import { readQuota } from '../log-index/read.ts'
import { type Program, query } from '../program.ts'
import type { AuditFinding } from '../store.ts'
import { checks, findingsPerCheck } from './checks.ts'

/** Recomputes every balance and rollup from its parts and tells what differs. */
export function* findDifferences(): Program<AuditFinding[]> {
  const findings: AuditFinding[] = []
  for (const { sql, what } of checks) {
    const rows = yield* query<{ expected: number; found: number }>(`${sql} limit ${findingsPerCheck}`)
    findings.push(...rows.map((row) => ({ what: what({ ...row }), expected: row.expected, found: row.found })))
  }
  return [...findings, ...(yield* indexDifference())]
}

/** What the pages of the log are made from must say what the log says. */
function* indexDifference(): Program<AuditFinding[]> {
  const [summed] = yield* query<{ quota: number }>(
    'select cast(coalesce(sum(quota), 0) as bigint) as quota from logs where type = 2',
  )
  const expected = summed?.quota ?? 0
  const found = yield* readQuota({})
  return expected === found
    ? []
    : [{ what: 'quota of all consumption by the log index, against the log', expected, found }]
}
