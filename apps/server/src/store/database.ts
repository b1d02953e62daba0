import type { Kysely } from 'kysely'
import type { Rewriting } from './accounts/personal/rewrite-log.ts'
import type { SqlDialect } from './dialects/sql-dialect.ts'
import type { StreamSource } from './engine/connections/worker-messages.ts'
import type { DamageWatch } from './engine/damage.ts'
import type { UpgradeReport } from './engine/upgrade/upgrade-report.ts'
import type { Range, Width } from './log/partitions/ranges.ts'
import type { BatchStatement } from './program.ts'
import type { ReadArguments, ReadName, ReadResult } from './programs.ts'
import type { Tables } from './schema/tables.ts'
import type { FlushRequest } from './settlement.ts'
import type { Seconds } from './units.ts'

/** The connection of repositories: a database, or one transaction on it. */
export interface Connection {
  readonly db: Kysely<Tables>
  readonly dialect: SqlDialect
  readonly damage: Pick<DamageWatch, 'found'>
  /**
   * Runs `work` in one transaction; within one it joins it. PostgreSQL may end a transaction for the sake of another: then `work`
   * runs once more, from its beginning, so what it leaves outside of the database must be of its last run alone.
   */
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** All statements or none; `BatchRefusedError` when one did not change its expected number of rows. */
  batch(statements: readonly BatchStatement[]): Promise<void>
  /** All of a flush or nothing, `BatchRefusedError` as above; returns how many log rows it added. */
  flush(request: FlushRequest): Promise<number>
  /** Runs a read that scans, away from the connection that writes. */
  read<Name extends ReadName>(name: Name, ...args: ReadArguments<Name>): Promise<ReadResult<Name>>
  /** Adds missing partitions of the log for these times, both inclusive. SQLite has none. */
  coverLogTimes(times: Range, width: Width): Promise<void>
  /** Counts added log rows; seals a block in the background when there are enough. */
  afterLogRows(count: number): void
  /**
   * Deletes the log rows older than `before`, with their part of the index, in batches; calls `deleted` after each, and
   * ends between two when `signal` is aborted.
   */
  clearLogRows(before: Seconds, deleted: (rows: number) => void, signal?: AbortSignal): Promise<void>
  /**
   * Reads every page in a thread of its own, so that damage is found which no call has met. Absent within a transaction, and on
   * PostgreSQL, whose server looks after its pages.
   */
  readonly checkPages?: (signal: AbortSignal) => Promise<void>
  /** Replaces texts of log rows, with their part of the index. */
  rewriteLogRows(rewriting: Rewriting): Promise<void>
}

export interface Database extends Connection {
  /**
   * Streams what the program's own thread makes of the database, beside the event loop and no faster than it is read. Absent where no such
   * thread can be started.
   */
  stream?(source: StreamSource): AsyncIterable<Uint8Array>
  /** Report of the upgrade from an older version's schema, where opening the database made one. */
  readonly upgraded: UpgradeReport | undefined
  close(): Promise<void>
}
