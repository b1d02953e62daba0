import type { LogRow, Quota, Seconds } from './entities.ts'

export interface LogFilter {
  /** One type, or any of several. */
  readonly type?: LogRow['type'] | readonly LogRow['type'][]
  readonly userId?: number
  readonly tokenId?: number
  readonly tokenName?: string
  readonly model?: string
  readonly channelId?: number
  readonly group?: string
  /** Whole, to the letter. */
  readonly requestId?: string
  /** Both inclusive. */
  readonly from?: Seconds
  readonly to?: Seconds
}

export interface LogBatch {
  /** Newest first. */
  readonly rows: LogRow[]
  /** Where the next batch begins; `undefined` when there is none. */
  readonly next: number | undefined
}

export interface LogSearch {
  readonly filter: LogFilter
  /** How the content begins, whatever the case of its letters. */
  readonly content: string
  /** Rows that are answered at most. */
  readonly limit: number
  /** Rows of the filter that are looked at most, from the newest on: contents are in no index. */
  readonly maxScanned: number
}

export interface LogSearchResult {
  /** Newest first. */
  readonly rows: LogRow[]
  /** How many there are among those that were looked at. */
  readonly total: number
  /** Whether every row of the filter was looked at. */
  readonly complete: boolean
}

/** The usage log. */
export interface UsageRepository {
  /** Rows that are not charges (top-up, management, system). They count in the rollup too. */
  append(rows: readonly Omit<LogRow, 'id'>[]): Promise<void>
  /**
   * Page `page` (from 1) of the filtered log, newest (largest id) first, with the filter's exact total.
   * Whatever is filtered, and however deep the page: the log itself is read for the rows of the page alone.
   * `model` is exact, but for `%`, which stands for any text.
   */
  page(filter: LogFilter, page: number, size: number): Promise<{ rows: LogRow[]; total: number }>
  /** Sum of quota of the rows under the filter (time included); of consumption rows where it names no type. */
  sumQuota(filter: LogFilter): Promise<Quota>
  /** Consumption rows and their tokens since `since` under the filter (its times ignored). */
  recent(filter: LogFilter, since: Seconds): Promise<{ requests: number; tokens: number }>
  /**
   * Deletes every row older than `before`, of whatever type; returns how many. Rollups and charges stay, and the books
   * balance at every moment, also when it is interrupted: called again it goes on. Not within a transaction.
   * @param progress hears how many are gone so far, some thousands at a time
   * @param signal ends it between two such steps
   */
  clearBefore(before: Seconds, progress?: (deleted: number) => void, signal?: AbortSignal): Promise<number>
  /**
   * Some rows of the filtered log, newest first, below the id `before`; for reading all of it, however long it is. May
   * have no rows although more follow.
   */
  batch(filter: LogFilter, before: number | undefined, size: number): Promise<LogBatch>
  /** Rows of the filter whose content begins with a text. */
  search(search: LogSearch): Promise<LogSearchResult>
}
