import { type Program, query } from '../../program.ts'
import { missingRanges, parseBound, partitionName, type Range, type Width } from './ranges.ts'

/** Rows whose time no other partition has. A row is never refused for its time. */
export const defaultPartition = 'logs_default'

interface Partition extends Range {
  readonly name: string
}

/** The partitions of the log but for the default one. */
export function* listPartitions(): Program<readonly Partition[]> {
  const found = yield* query<{ name: string; bound: string }>(
    `select relname as name, pg_get_expr(relpartbound, oid) as bound
      from pg_inherits join pg_class on oid = inhrelid where inhparent = 'logs'::regclass`,
  )
  return found.flatMap(({ name, bound }) => {
    const range = parseBound(bound)
    return range === undefined ? [] : [{ name, ...range }]
  })
}

/**
 * Adds the partitions that are missing in a stretch of time; rows that came before their partition move into it, with their
 * ids. Runs in a transaction of its own, with other changes of partitions locked out.
 */
export function* addPartitions(times: Range, width: Width): Program<void> {
  const missing = missingRanges(yield* listPartitions(), times, width)
  if (missing.length === 0) return
  // Taken at once for all steps: a row that is added meanwhile would make the last one fail.
  yield* query(`lock table ${defaultPartition} in access exclusive mode`)
  for (const range of missing) yield* addPartition(range)
}

function* addPartition(range: Range): Program<void> {
  const { from, to } = range
  const name = partitionName(range)
  // Made apart and then attached: that does not block writers of other partitions.
  yield* query(`create table ${name} (like logs including defaults including constraints)`)
  yield* query(
    `with moved as (delete from ${defaultPartition} where created_at >= ${from} and created_at < ${to} returning *)
      insert into ${name} select * from moved`,
  )
  yield* query(`alter table logs attach partition ${name} for values from (${from}) to (${to})`)
}
