import type { Logger } from '../../lib/logger.ts'
import type { SealResult } from './seal.ts'

/** Rows of one block. Fewer make more blocks to look through, more make more rows that are not sealed yet. */
export const defaultBlockRows = 8192

/** Seals blocks of the log in the background as rows come in. */
export interface Sealer {
  rowsAdded(count: number): void
  /** Resolves when nothing is being sealed; nothing is begun afterwards. */
  close(): Promise<void>
}

export interface SealerConfig {
  readonly blockRows: number
  seal(): Promise<SealResult>
  readonly logger: Pick<Logger, 'warn'>
}

/** Starts with what earlier runs left unsealed. */
export function createSealer({ blockRows, seal, logger }: SealerConfig): Sealer {
  let unsealed = blockRows
  let running: Promise<void> | undefined
  let closed = false

  async function sealAll(): Promise<void> {
    try {
      for (let sealed = true; sealed && !closed; ) ({ sealed, unsealed } = await seal())
    } catch (error) {
      // Pages stay right without the block, if slower; the next rows try again.
      logger.warn({ err: error }, 'a block of the usage log could not be sealed')
    }
  }
  return {
    rowsAdded(count) {
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
