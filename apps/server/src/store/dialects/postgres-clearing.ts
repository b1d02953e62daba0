import { type ClearResult, clearIndex } from '../log-index/clear.ts'
import type { TermCache } from '../log-index/terms.ts'
import { type Program, query } from '../program.ts'
import type { Seconds } from '../units.ts'
import { monthOfPartition, partitionOf, startOfMonth } from './log-months.ts'

/**
 * Dropping a partition blocks the log for a moment, and while it waits for readers, all later calls too. After this it
 * gives up.
 */
const dropLockMs = 2000

/**
 * Drops the oldest month of the log that lies completely before a time, with its part of the index. Runs in a
 * transaction of its own, with sealing locked out.
 */
export function* dropMonth(before: Seconds, terms: TermCache): Program<ClearResult> {
  const partitions = yield* query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'logs'::regclass`,
  )
  const [month] = partitions
    .flatMap(({ name }) => monthOfPartition(name) ?? [])
    .filter((one) => startOfMonth(one + 1) <= before)
    .sort((a, b) => a - b)
  if (month === undefined) return { deleted: 0, done: true }
  return { deleted: yield* drop(month, terms), done: false }
}

function* drop(month: number, terms: TermCache): Program<number> {
  const name = partitionOf(month)
  const [rows] = yield* query<{ count: number }>(`select count(*) as count from ${name}`)
  yield* clearIndex(startOfMonth(month + 1), terms)
  // The lock comes last, so that it is held for the commit alone.
  yield* query(`set local lock_timeout = ${dropLockMs}`)
  yield* query(`drop table ${name}`)
  return rows?.count ?? 0
}
