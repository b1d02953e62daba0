import type { UsageRecord } from './usage-record.ts'

/** Records that follow one another in the log. */
export interface UsageBatch {
  /** Id of the row behind which it begins: the same when it is sent again, though more records may be in it then. */
  readonly after: number
  /** Oldest first; at least one. */
  readonly records: readonly UsageRecord[]
}

/** Destination of records. */
export interface Destination {
  /** Names its position in the database. */
  readonly name: string
  readonly everyMs: number
  /** Most records of a batch. */
  readonly maxRecords: number
  /**
   * Resolves when the destination has it for good.
   * @throws RefusedBatchError when it will never take this batch
   */
  send(batch: UsageBatch, signal: AbortSignal): Promise<void>
}

/** The destination says that the batch itself is wrong: another try cannot help, smaller batches can. */
export class RefusedBatchError extends Error {
  override readonly name = 'RefusedBatchError'
}

/** Statuses by which a server refuses what was sent, and not who sent it or when. */
export function refusesContent(status: number): boolean {
  return status === 400 || status === 413 || status === 422
}
