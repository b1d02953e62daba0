import { type Program, query } from '../program.ts'
import type { Seconds } from '../units.ts'
import { lastSealedId } from './dimensions.ts'
import { cutBlock, type SealedBlock } from './seal.ts'
import type { TermCache } from './terms.ts'

export interface ClearResult {
  /** Number of deleted rows. */
  readonly deleted: number
  /** No old row is left. */
  readonly done: boolean
}

/** Rows per deletion outside of blocks. */
const tailRows = 8192

/**
 * Deletes the next rows of the log that are older than `before`, with their part of the index: those of the oldest
 * block that has any, or the first of the unsealed ones. Runs in a transaction of its own, with sealing locked out.
 */
export function* clearBatch(before: Seconds, terms: TermCache): Program<ClearResult> {
  const block = yield* oldestBlock(before)
  if (block === undefined) return yield* clearTail(before)
  yield* query('delete from logs where id >= ? and id <= ? and created_at < ?', [
    block.first_id,
    block.last_id,
    before,
  ])
  return { deleted: yield* cutBlock(block, before, terms), done: false }
}

/** Removes rows older than `before` from the index. Call it before the rows themselves are dropped. */
export function* clearIndex(before: Seconds, terms: TermCache): Program<void> {
  for (let block = yield* oldestBlock(before); block !== undefined; block = yield* oldestBlock(before))
    yield* cutBlock(block, before, terms)
}

/** Runs one batch after the other until `signal` aborts; calls `deleted` with the number of rows of each. */
export async function clearAll(
  batch: () => Promise<ClearResult>,
  deleted: (rows: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  while (signal?.aborted !== true) {
    const result = await batch()
    if (result.deleted > 0) deleted(result.deleted)
    if (result.done) return
  }
}

function* oldestBlock(before: Seconds): Program<SealedBlock | undefined> {
  const [block] = yield* query<SealedBlock>(
    'select id, first_id, last_id, count, max_at from log_blocks where min_at < ? order by id limit 1',
    [before],
  )
  return block
}

function* clearTail(before: Seconds): Program<ClearResult> {
  const [sealed] = yield* query<{ id: number }>(lastSealedId)
  const oldest = `select id from logs where id > ? and created_at < ? order by id limit ${tailRows}`
  const parameters = [sealed?.id ?? 0, before]
  const [found] = yield* query<{ count: number }>(
    `select count(*) as count from (${oldest}) as tail`,
    parameters,
  )
  const deleted = found?.count ?? 0
  if (deleted > 0)
    yield* query(`delete from logs where id in (${oldest}) and created_at < ?`, [...parameters, before])
  return { deleted, done: deleted < tailRows }
}
