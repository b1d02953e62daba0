import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import type { Quota, Seconds } from '../units.ts'
import { reasonOf } from './index/failures.ts'
import type {
  Failures,
  HistogramStep,
  LogBatch,
  LogFilter,
  LogRow,
  LogSearch,
  LogSearchResult,
  NewLogRow,
} from './index/log-row.ts'
import type { RowHint } from './index/read.ts'
import type { TopFigure, TopRows } from './index/top.ts'
import type { Range, Width } from './partitions/ranges.ts'
import { logRowStatements } from './rows/log-rows.ts'

/** The usage log. */
export interface UsageRepository {
  /** Rows that are not charges (top-up, management, system). They count in the rollup too. */
  append(rows: readonly NewLogRow[]): Promise<void>
  /**
   * Page `page` (from 1) of the filtered log, newest (largest id) first, with the filter's exact total. Whatever the
   * filter, and however deep the page: the log itself is read for the rows of the page alone. `model` is exact, except
   * that `%` matches any text.
   */
  page(filter: LogFilter, page: number, size: number): Promise<{ rows: LogRow[]; total: number }>
  /** Rows of the filter with the largest charges or durations; of a very long log the newest part is searched. */
  top(filter: LogFilter, figure: TopFigure, size: number): Promise<TopRows>
  /** The row with an id; narrowed by its time and its owner. */
  find(id: number, hint?: RowHint): Promise<LogRow | undefined>
  /** Sum of quota of the rows under the filter (time included); only of consumption rows when it names no type. */
  sumQuota(filter: LogFilter): Promise<Quota>
  /** Consumption rows and their tokens since `since` under the filter (its times ignored). */
  recent(filter: LogFilter, since: Seconds): Promise<{ requests: number; tokens: number }>
  /** Charged and failed calls of the filter in steps of time, in their order; those without a call are left out. */
  histogram(filter: LogFilter, starts: readonly Seconds[]): Promise<HistogramStep[]>
  /** Failed calls of the filter by reason, model, user and channel. */
  failures(filter: LogFilter): Promise<Failures>
  /**
   * Deletes every row older than `before`, of every type; returns how many. Rollups and charges stay, and the audit
   * agrees at every moment, also when it is interrupted: the next call continues. Not within a transaction.
   * @param progress receives the number of deleted rows so far, some thousands at a time
   * @param signal ends it between two such steps
   */
  clearBefore(before: Seconds, progress?: (deleted: number) => void, signal?: AbortSignal): Promise<number>
  /** Adds missing partitions for these times, both inclusive. Rows of other times are stored too, but never dropped together. */
  cover(times: Range, width: Width): Promise<void>
  /**
   * Some rows of the filtered log, newest first, below the id `before`; for reading all of it, however long it is. May
   * have no rows although more follow.
   */
  batch(filter: LogFilter, before: number | undefined, size: number): Promise<LogBatch>
  /** Rows of the filter whose content starts with a text. */
  search(search: LogSearch): Promise<LogSearchResult>
  /** Reads the size of the database, where it is one file; `undefined` on PostgreSQL. */
  fileExtent(): Promise<FileExtent | undefined>
}

export interface FileExtent {
  /** Upper bound of the log's rows. */
  readonly rows: number
  readonly bytes: number
}

export function createUsageRepository(connection: Connection): UsageRepository {
  return {
    async append(rows) {
      if (rows.length === 0) return
      const locks = connection.dialect.beforeLogRows.map((sql) => ({ sql, parameters: [] }))
      await connection.batch([...locks, ...logRowStatements(rows, connection.dialect)])
      connection.afterLogRows(rows.length)
    },
    page: (filter, page, size) =>
      connection.read(filter.reason === undefined ? 'readPage' : 'readFailurePage', filter, page, size),
    top: (filter, figure, size) => connection.read('readTop', filter, figure, size),
    find: (id, hint = {}) => connection.read('readRow', id, hint),
    sumQuota: (filter) => connection.read('readQuota', filter),
    async batch(filter, before, size) {
      const batch = await connection.read('readBatch', filter, before, size)
      if (filter.reason === undefined) return batch
      return { ...batch, rows: batch.rows.filter(({ other }) => reasonOf(other) === filter.reason) }
    },
    histogram: (filter, steps) => connection.read('readHistogram', filter, steps),
    failures: (filter) => connection.read('readFailures', filter),
    search: (search) => connection.read('readSearch', search),
    async clearBefore(before, progress, signal) {
      // First, so that the audit never misses a row that it still expects.
      await moveBoundary(connection, before)
      let total = 0
      const deleted = (rows: number) => {
        total += rows
        progress?.(total)
      }
      await connection.clearLogRows(before, deleted, signal)
      return total
    },
    cover: (times, width) => connection.coverLogTimes(times, width),
    recent: (filter, since) => connection.read('readRecent', filter, since),
    fileExtent: () => fileExtent(connection),
  }
}

/** Reads the extent of the file; rows are estimated by the distance of ids, not counted. */
async function fileExtent({ db, dialect }: Connection): Promise<FileExtent | undefined> {
  if (dialect.kind !== 'sqlite') return undefined
  const { rows } = await sql<FileExtent>`
    select coalesce((select max(id) from logs) - (select min(id) from logs) + 1, 0) as rows,
      page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db)
  return rows[0]
}

/** Notes that the log may lack rows older than this from now on; never goes back. */
async function moveBoundary({ db }: Connection, before: Seconds): Promise<void> {
  // What lies behind the sums was cleared by a program that wrote none: they begin there.
  const sumsFrom = sql<number>`case when log_clearing.cleared_before > log_clearing.sums_to
    then log_clearing.cleared_before else log_clearing.sums_from end`
  await db
    .insertInto('log_clearing')
    .values({ id: 1, cleared_before: before, sums_from: 0, sums_to: before })
    .onConflict((known) =>
      known
        .column('id')
        .doUpdateSet({ cleared_before: before, sums_from: sumsFrom, sums_to: before })
        .where('log_clearing.cleared_before', '<', before),
    )
    .execute()
}

declare module '../schema/tables.ts' {
  interface Tables {
    log_clearing: { id: number; cleared_before: number; sums_from: number; sums_to: number }
  }
}
