import type { Rewriting } from '../../accounts/personal/rewrite-log.ts'
import type { FaultKind } from '../../errors.ts'
import type { BatchStatement, Row, Statement } from '../../program.ts'
import type { ReadArguments, ReadName } from '../../programs.ts'
import type { FlushRequest } from '../../settlement.ts'
import type { Seconds } from '../../units.ts'

export interface SqliteOpening {
  readonly file: string
  readonly readonly: boolean
  /** No other process has the file open while this reads it: SQLite creates no file beside it. */
  readonly immutable?: boolean
}

export interface PostgresOpening {
  readonly url: string
  /** Longest time a statement may take. */
  readonly statementMs: number
  readonly connections: number
}

/** Instructions for a worker to open its connection. */
export type WorkerOpening = SqliteOpening | PostgresOpening

/** Source of a stream: a name that the thread knows, and plain data that it takes. */
export interface StreamSource {
  readonly name: string
  readonly args: unknown
}

/** The requests of a database worker, which responds in their order. */
export type WorkerRequest =
  | { readonly op: 'open'; readonly opening: WorkerOpening }
  | { readonly op: 'execute'; readonly statement: Statement }
  | { readonly op: 'batch'; readonly statements: readonly BatchStatement[] }
  | { readonly op: 'flush'; readonly flush: FlushRequest }
  | { readonly op: 'read'; readonly name: ReadName; readonly args: ReadArguments<ReadName> }
  | { readonly op: 'seal'; readonly size: number }
  /** Makes a span of so many blocks. */
  | { readonly op: 'combine'; readonly size: number }
  /** Deletes the next old rows of the log. */
  | { readonly op: 'clear'; readonly before: Seconds }
  /** Replaces texts of rows of the log. */
  | { readonly op: 'rewrite'; readonly rewriting: Rewriting }
  /** A step towards dropping the oldest partition of the log, when all of it is old. */
  | { readonly op: 'drop-partition'; readonly before: Seconds }
  /** The next bytes of a stream, which its first pull names; responds with `undefined` at the end. */
  | { readonly op: 'pull'; readonly stream: number; readonly source?: StreamSource }
  /** Ends a stream before its end. */
  | { readonly op: 'leave'; readonly stream: number }
  | { readonly op: 'close' }

export interface Executed {
  readonly rows: readonly Row[]
  readonly changes: number
}

export interface WorkerCall {
  readonly id: number
  readonly request: WorkerRequest
}

/** Errors cross threads as plain data: class and `code` would be lost otherwise. */
export interface WorkerFailure {
  readonly name: string
  readonly message: string
  readonly code: string
  /** Kind of a `StoreFault`. */
  readonly fault?: FaultKind
}

export type WorkerResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: WorkerFailure }
