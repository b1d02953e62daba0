import { type Block, blockFields } from '../../log/index/block.ts'
import { dimensions } from '../../log/index/dimensions.ts'
import { readPage } from '../../log/index/read.ts'
import { cutBlock } from '../../log/index/seal.ts'
import type { TermCache } from '../../log/index/terms.ts'
import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'

/** The texts of a row that say who it is about, as they are to be. */
export interface RewrittenRow {
  readonly id: number
  readonly createdAt: Seconds
  readonly username: string
  readonly tokenName: string
  readonly content: string
  readonly other: string
}

/** Rows to rewrite, and names of keys that the index forgets where no row has them any more. */
export interface Rewriting {
  readonly rows: readonly RewrittenRow[]
  readonly tokenNames: readonly string[]
}

/** Replaces texts of rows, and their part of the index. Runs in a transaction of its own, with sealing locked out. */
export function* rewriteLog({ rows, tokenNames }: Rewriting, terms: TermCache): Program<void> {
  for (const { id, createdAt, username, tokenName, content, other } of rows)
    yield* query(
      'update logs set username = ?, token_name = ?, content = ?, other = ? where id = ? and created_at = ?',
      [username, tokenName, content, other, id, createdAt],
    )
  for (const block of yield* blocksOf(rows)) yield* cutBlock(block, Number.MIN_SAFE_INTEGER, terms)
  for (const name of tokenNames) yield* forgetName(name, terms)
}

/** The sealed blocks with these rows. */
function* blocksOf(rows: readonly RewrittenRow[]): Program<readonly Block[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const near = yield* query<Block>(
    `select ${blockFields} from log_blocks where first_id <= ? and last_id >= ? order by id`,
    [Math.max(...ids), Math.min(...ids)],
  )
  return near.filter(({ first_id, last_id }) => ids.some((id) => id >= first_id && id <= last_id))
}

function* forgetName(name: string, terms: TermCache): Program<void> {
  const { total } = yield* readPage({ tokenName: name }, 1, 1)
  if (total > 0) return
  yield* query('delete from log_terms where dimension = ? and text = ?', [dimensions.token, name])
  terms.forget('token', name)
}
