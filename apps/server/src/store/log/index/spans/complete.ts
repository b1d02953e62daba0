import { logTypes } from '@tollgate/api/roles'
import { type Program, query } from '../../../program.ts'
import { largestBlock } from '../bitmap.ts'
import { type Block, blockFields, idsAt, positionsOf } from '../block.ts'
import { partsPerBlock, postingPart } from '../dimensions.ts'
import { failoverPart, failoverValues, hasSeveralAttempts, rescued } from '../failover/failover.ts'
import type { ValuePosition } from '../postings.ts'
import { insertRows } from '../seal.ts'
import { addDimension, combineBlocks } from './combine.ts'
import { listSpans } from './spans.ts'

/**
 * Does the next step for the index of the sealed log: completes a block of a program that knew no failover, or makes a span of
 * `size` blocks. Runs in a transaction of its own, with sealing and cutting locked out.
 * @returns whether there was one to do
 */
export function* improveIndex(size: number): Program<boolean> {
  const [block] = yield* incompleteBlocks(0, Number.MAX_SAFE_INTEGER)
  if (block === undefined) return yield* combineBlocks(size)
  yield* completeBlock(block)
  const span = (yield* listSpans()).find(({ id, last_block }) => id <= block.id && block.id <= last_block)
  if (span === undefined) return true
  const left = yield* incompleteBlocks(span.id, span.last_block)
  if (left.length === 0) yield* addDimension(span, 'failover')
  return true
}

/** The newest one between two, both inclusive. One whose number of rows cannot be is damaged, and stays as it is. */
function incompleteBlocks(first: number, last: number): Program<readonly Block[]> {
  return query<Block>(
    `select ${blockFields} from log_blocks where id >= ? and id <= ? and count <= ${largestBlock} and not exists (
        select 1 from log_block_parts
          where log_block_parts.id = log_blocks.id * ${partsPerBlock} + ${failoverNumber})
      order by id desc limit 1`,
    [first, last],
  )
}

const failoverNumber = postingPart('failover', rescued)

interface CallRow {
  readonly id: number
  readonly type: number
  readonly channelId: number
  readonly other: string
}

function* completeBlock(block: Block): Program<void> {
  const rows = yield* query<CallRow>(
    `select id, type, channel_id as "channelId", other from logs
      where id >= ? and id <= ? and created_at between ? and ? and ${hasSeveralAttempts}`,
    [block.first_id, block.last_id, block.min_at, block.max_at],
  )
  const match = { block, count: block.count, bits: undefined }
  const ids = yield* idsAt(match, positionsOf(match))
  const positions = new Map(ids.map((id, position) => [id, position]))
  const values = rows.flatMap(({ id, type, ...row }): ValuePosition[] => {
    const of = failoverValues({ ...row, isCharged: type === logTypes.consumption })
    return of.map((value) => [value, positions.get(id) ?? 0])
  })
  yield* insertRows('log_block_parts (id, data)', [
    [block.id * partsPerBlock + failoverNumber, failoverPart(values, block.count)],
  ])
}
