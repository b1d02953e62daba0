import type { Logger } from '../../../lib/logger.ts'
import { largestBlock } from './bitmap.ts'
import type { SealResult } from './seal.ts'

/** Rows of one block. Fewer make more blocks to look through, more make more rows that are not sealed yet. */
export const defaultBlockRows = 8192

/**
 * Blocks of one span. More make fewer spans to look through, and more blocks where a span does not tell enough. SQLite's writer does
 * nothing else while it makes one: some 60 ms for eight.
 */
export const defaultSpanBlocks = { sqlite: 8, postgres: 32 } as const

const outOfTheWayMs = 100

/** Seals blocks of the log in the background as rows come in, and combines them into spans. */
export interface Sealer {
  rowsAdded(count: number): void
  /** Resolves when no block is being sealed; none is started afterwards. */
  close(): Promise<void>
}

export interface SealerConfig {
  /** Rows of a block. */
  readonly blockRows: number
  seal(): Promise<SealResult>
  /** Makes a span of blocks; returns whether there were enough. */
  combine(): Promise<boolean>
  readonly logger: Pick<Logger, 'warn'>
}

/** Starts with the rows that earlier runs left unsealed. */
export function createSealer({ blockRows, seal, combine, logger }: SealerConfig): Sealer {
  if (blockRows > largestBlock) throw new RangeError(`a block has at most ${largestBlock} rows`)
  let unsealed = blockRows
  let added = 0
  let running: Promise<void> | undefined
  let closed = false

  /**
   * Rows that may remain. When a block could not be sealed although there are enough, another transaction held the
   * lock.
   */
  async function sealOne(): Promise<number> {
    const before = added
    const result = await seal()
    if (result.sealed) return blockRows
    if (result.unsealed >= blockRows) await Bun.sleep(outOfTheWayMs)
    return result.unsealed + added - before
  }

  async function sealAll(): Promise<void> {
    try {
      do {
        unsealed = await sealOne()
        // Blocks first: rows without one cost every page more than blocks without a span.
        while (unsealed < blockRows && !closed && (await combine()));
      } while (unsealed >= blockRows && !closed)
    } catch (error) {
      // Pages stay right without the block, if slower; the next rows try again.
      if (!closed)
        logger.warn(
          { err: error },
          'a block of the usage log was not indexed, so filters read its rows one by one: it is tried again',
        )
    }
  }
  return {
    rowsAdded(count) {
      added += count
      unsealed += count
      if (closed || running !== undefined || unsealed < blockRows) return
      running = sealAll().finally(() => {
        running = undefined
      })
    },
    async close() {
      closed = true
      await running
    },
  }
}
