import type { Kysely } from 'kysely'
import type { SqlDialect } from './dialects/sql-dialect.ts'
import type { BatchStatement } from './program.ts'
import type { ReadArguments, ReadName, ReadResult } from './programs.ts'
import type { Tables } from './schema/tables.ts'
import type { FlushRequest } from './settlement.ts'
import type { Seconds } from './units.ts'

/** What repositories speak to: a database, or one transaction on it. */
export interface Connection {
  readonly db: Kysely<Tables>
  readonly dialect: SqlDialect
  /** Runs `work` in one transaction; within one it joins it. */
  transaction<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** All statements or none; `BatchRefusedError` when one did not change the rows it had to. */
  batch(statements: readonly BatchStatement[]): Promise<void>
  /** All of a flush or nothing, `BatchRefusedError` as above; returns how many log rows it added. */
  flush(request: FlushRequest): Promise<number>
  /** Runs a read that scans, away from the connection that writes. */
  read<Name extends ReadName>(name: Name, ...args: ReadArguments<Name>): Promise<ReadResult<Name>>
  /** These log rows are about to be added: makes room for them. */
  beforeLogRows(rows: readonly { readonly createdAt: Seconds }[]): Promise<void>
  /** Log rows were added; when there are enough for a block it is sealed in the background. */
  afterLogRows(count: number): void
  /**
   * Deletes the log rows older than `before` with what the index knows of them, in batches; `deleted` hears of each, and
   * `signal` ends it between two.
   */
  clearLogRows(before: Seconds, deleted: (rows: number) => void, signal?: AbortSignal): Promise<void>
}

export interface Database extends Connection {
  close(): Promise<void>
}
