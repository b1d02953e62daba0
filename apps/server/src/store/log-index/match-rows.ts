import { type Program, query } from '../program.ts'
import { eachPosition, everyPosition } from './bitmap.ts'
import { type Block, idsAt, type Match } from './block.ts'
import { logColumns, type StoredLog } from './log-row.ts'

/** Positions of a match's rows in its block, oldest first. */
export function positionsOf({ block, bits }: Match): number[] {
  const positions: number[] = []
  eachPosition(bits?.() ?? everyPosition(block.count), (position) => positions.push(position))
  return positions
}

/** These rows of a block, newest first. */
export function* readRowsById(block: Block, ids: readonly number[]): Program<readonly StoredLog[]> {
  if (ids.length === 0) return []
  return yield* query<StoredLog>(
    `select ${logColumns} from logs
      where id in (${ids.map(() => '?').join(', ')}) and created_at between ? and ? order by id desc`,
    [...ids, block.min_at, block.max_at],
  )
}

export function* readRowsAt(match: Match, positions: readonly number[]): Program<readonly StoredLog[]> {
  return yield* readRowsById(match.block, yield* idsAt(match, positions))
}
