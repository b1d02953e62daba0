import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import { type Block, blockFields } from './block.ts'
import { sumCleared } from './cleared-sums.ts'
import { lastSealedId } from './dimensions.ts'
import { cutBlock } from './seal.ts'
import type { TermCache } from './terms.ts'

export interface ClearResult {
  /** Number of deleted rows. */
  readonly deleted: number
  /** No old row is left. */
  readonly done: boolean
  /** Readers hold the rows: the next batch comes after a pause. */
  readonly locked?: boolean
}

/** Rows per deletion outside of blocks. */
const tailRows = 8192

const lockedPauseMs = 5000

/**
 * Deletes the next rows of the log that are older than `before`, with their part of the index: those of the oldest
 * block that has any, or the first of the unsealed ones. Runs in a transaction of its own, with sealing locked out.
 */
export function* clearBatch(before: Seconds, terms: TermCache): Program<ClearResult> {
  const block = yield* oldestBlock(before)
  if (block === undefined) return yield* clearTail(before)
  const old = 'logs where id >= ? and id <= ? and created_at < ?'
  const parameters = [block.first_id, block.last_id, before]
  yield* sumCleared(old, parameters)
  yield* query(`delete from ${old}`, parameters)
  return { deleted: yield* cutBlock(block, before, terms), done: false }
}

/**
 * Takes rows older than `before` out of the index, some blocks at a time, before they are dropped. The newest block stays:
 * without it the rows behind it would count as not sealed.
 * @returns how many rows left it, and whether the newest block alone may have others
 */
export function* clearIndex(before: Seconds, terms: TermCache, blocks: number): Program<ClearResult> {
  const newest = yield* newestBlock()
  let deleted = 0
  for (let cut = 0; cut < blocks; cut += 1) {
    const block = yield* oldestBlock(before)
    if (block === undefined || block.id === newest?.id) return { deleted, done: true }
    deleted += yield* cutBlock(block, before, terms)
  }
  return { deleted, done: false }
}

/** Takes the rest out, with the newest block; returns how many rows, those that no block has among them. */
export function* clearNewest(before: Seconds, terms: TermCache): Program<number> {
  const newest = yield* newestBlock()
  const [unsealed] = yield* query<{ count: number }>(
    'select count(*) as count from logs where id > ? and created_at < ?',
    [newest?.last_id ?? 0, before],
  )
  const isOld = newest !== undefined && newest.min_at < before
  return (unsealed?.count ?? 0) + (isOld ? yield* cutBlock(newest, before, terms) : 0)
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
    if (result.locked) await Bun.sleep(lockedPauseMs)
  }
}

function* oldestBlock(before: Seconds): Program<Block | undefined> {
  const [block] = yield* query<Block>(
    `select ${blockFields} from log_blocks where min_at < ? order by id limit 1`,
    [before],
  )
  return block
}

function* newestBlock(): Program<Block | undefined> {
  const [block] = yield* query<Block>(`select ${blockFields} from log_blocks order by id desc limit 1`)
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
  if (deleted > 0) {
    const old = `logs where id in (${oldest}) and created_at < ?`
    yield* sumCleared(old, [...parameters, before])
    yield* query(`delete from ${old}`, [...parameters, before])
  }
  return { deleted, done: deleted < tailRows }
}
