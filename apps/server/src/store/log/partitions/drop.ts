import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { type ClearResult, clearIndex, clearNewest } from '../index/clear.ts'
import { sumCleared } from '../index/cleared-sums.ts'
import type { TermCache } from '../index/terms.ts'
import { defaultPartition, listPartitions } from './cover.ts'

/**
 * Dropping a partition blocks the log for a moment, and while it waits for readers, all later calls too. After this it
 * gives up and is tried again later.
 */
const dropLockMs = 500

/** Blocks that one transaction takes out of the index: sealing waits for it. */
const blocksPerBatch = 64

/**
 * A step towards dropping the oldest partition that lies completely before a time: takes some blocks out of the index, and
 * drops the partition when none is left. Runs in a transaction of its own, with sealing and other changes of partitions
 * locked out.
 */
export function* dropPartition(before: Seconds, terms: TermCache): Program<ClearResult> {
  const [oldest] = (yield* listPartitions())
    .filter(({ to }) => to <= before)
    .toSorted((a, b) => a.from - b.from)
  if (oldest === undefined) return { deleted: 0, done: true }
  const indexed = yield* clearIndex(oldest.to, terms, blocksPerBatch)
  if (!indexed.done) return indexed
  const last = yield* clearNewest(oldest.to, terms)
  // Late rows that are older than the partition have left the index too.
  const late = `${defaultPartition} where created_at < ?`
  yield* sumCleared(late, [oldest.to])
  yield* query(`delete from ${late}`, [oldest.to])
  yield* sumCleared(`${oldest.name} where true`, [])
  // The lock comes last, so that it is held for the commit alone.
  yield* query(`set local lock_timeout = ${dropLockMs}`)
  yield* query(`drop table ${oldest.name}`)
  return { deleted: indexed.deleted + last, done: false }
}
