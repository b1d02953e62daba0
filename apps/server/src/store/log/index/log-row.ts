import type { LogReader } from '@tollgate/api/log-events'
import { logTypes, nameOf } from '@tollgate/api/roles'
import {
  defineTable,
  type EntityOf,
  flag,
  generatedId,
  integer,
  named,
  optionalInteger,
  type RowOf,
  text,
} from '../../schema/table.ts'
import type { Quota, Seconds } from '../../units.ts'

/** A type that this program does not know reads as `system`, so that one odd row does not hide its page. */
const logType = {
  ...named(logTypes),
  decode: (stored: number) => nameOf(logTypes, stored) ?? ('system' as const),
}

/** The usage log: one row per call, payment or administrative action. Rows are appended and never change. */
export const logTable = defineTable('logs', {
  id: generatedId(),
  createdAt: integer(),
  type: logType,
  userId: integer(),
  tokenId: integer(),
  channelId: integer(),
  quota: integer(),
  /** Cost of the call for the operator; `null` where it is not known. For administrators alone. */
  cost: optionalInteger(),
  promptTokens: integer(),
  completionTokens: integer(),
  useTimeSeconds: integer(),
  isStream: flag(),
  tokenName: text(),
  model: text(),
  group: text(),
  username: text(),
  requestId: text(),
  content: text(),
  /** JSON text. */
  other: text(),
})
export type LogRow = EntityOf<typeof logTable>
/** A row that is added. */
export type NewLogRow = Omit<LogRow, 'id' | 'cost'> & { readonly cost?: number | null | undefined }
export type StoredLog = RowOf<typeof logTable> & { readonly id: number }

/** The columns of a row, for a `select`. */
export const logColumns = logTable.columnNames.map((name) => `"${name}"`).join(', ')

export interface LogFilter {
  /** One type, or any of several. */
  readonly type?: LogRow['type'] | readonly LogRow['type'][]
  readonly userId?: number
  readonly tokenId?: number
  readonly tokenName?: string
  readonly model?: string
  /** Channel that served the call, or was tried last. */
  readonly channelId?: number
  /** Channel that the call tried, also when another one served it. */
  readonly triedChannelId?: number
  /** Only calls that were served after an attempt had failed. */
  readonly isRescued?: boolean
  readonly group?: string
  /** Complete, case-sensitive. */
  readonly requestId?: string
  /** Reason of failed calls. No index has it: the newest `maxFailures` are searched. */
  readonly reason?: string
  /** Both inclusive. */
  readonly from?: Seconds
  readonly to?: Seconds
}

/** Most failed calls whose rows are read for their reasons. */
export const maxFailures = 5000

export interface HistogramStep {
  /** Its start. */
  readonly at: Seconds
  readonly calls: number
  readonly errors: number
}

/** Failed calls that have reason, model, user and channel in common. */
export interface FailureGroup {
  readonly reason: string
  readonly model: string
  readonly userId: number
  /** Name in the newest of them. */
  readonly username: string
  readonly channelId: number
  readonly count: number
  readonly firstAt: Seconds
  readonly lastAt: Seconds
  /** Balance that the newest of them needed; 0 where its row does not say. */
  readonly lastNeeded: Quota
}

export interface Failures {
  /** Most first. */
  readonly groups: readonly FailureGroup[]
  /** Set when all failed calls of the filter are among them. */
  readonly complete: boolean
}

export interface LogBatch {
  /** Newest first. */
  readonly rows: LogRow[]
  /** Beginning of the next batch; `undefined` when there is none. */
  readonly next: number | undefined
}

export interface LogSearch {
  readonly filter: LogFilter
  /** Start of the sentence that the reader has of a row, whatever the case of its letters. */
  readonly content: string
  readonly reader: LogReader
  /** Most rows that are returned. */
  readonly limit: number
  /** Most rows of the filter that are searched, from the newest on: contents are in no index. */
  readonly maxScanned: number
}

export interface LogSearchResult {
  /** Newest first. */
  readonly rows: LogRow[]
  /** Number of matches among the searched rows. */
  readonly total: number
  /** Set when every row of the filter was searched. */
  readonly complete: boolean
}

declare module '../../schema/tables.ts' {
  interface Tables {
    logs: RowOf<typeof logTable>
  }
}
