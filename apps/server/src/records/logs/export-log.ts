import type { Language, LogEntry } from '@tollgate/api'
import { type ReaderClock, zoneOf } from '@tollgate/api/calendar'
import type { Pieces } from '../../lib/async/pieces.ts'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import type { UserRepository } from '../../store/accounts/users.ts'
import type { LogFilter, LogRow } from '../../store/log/index/log-row.ts'
import type { UsageRepository } from '../../store/log/usage.ts'
import { headerCells, rowCells, type Visible } from './export-columns.ts'
import { filtersOf } from './filters-of.ts'
import { type AdminLogQuery, type LogQuery, toLogFilter } from './log-filter.ts'
import { type DisplaySettings, logReader } from './log-reader.ts'
import { adminView, ownView } from './log-view.ts'

/** Rows that are in memory at once, whatever the length of the export. */
const batchRows = 500

export interface LogExportDeps {
  readonly usage: Pick<UsageRepository, 'batch'>
  readonly users: Pick<UserRepository, 'idsByUsername'>
  readonly channelName: (id: number) => string
  readonly settings: DisplaySettings
}

/** The reader of an export, as plain data: the export may be made in another thread. */
export interface ExportReader extends ReaderClock {
  readonly language: Language
  readonly quotaPerUnit: number
}

/** The filtered log as CSV, newest first, in pieces of some hundred lines that are built on demand. */
export interface LogExport {
  all(query: AdminLogQuery, reader: ExportReader): Pieces
  own(userId: number, query: LogQuery, reader: ExportReader): Pieces
}

export function createLogExport({ usage, users, channelName, settings }: LogExportDeps): LogExport {
  async function* all(query: AdminLogQuery, exportReader: ExportReader) {
    const visible = visibleTo(exportReader)
    const reader = logReader(settings, visible.language)
    const view = (row: LogRow) => adminView(row, channelName, reader)
    yield byteOrderMark + csvLine(headerCells('admin', visible))
    for (const filter of await filtersOf(users, query))
      for await (const rows of batches(usage, filter)) yield linesOf(rows.map(view), 'admin', visible)
  }

  async function* own(userId: number, query: LogQuery, exportReader: ExportReader) {
    const visible = visibleTo(exportReader)
    const filter = toLogFilter(query)
    yield byteOrderMark + csvLine(headerCells('owner', visible))
    if (filter === undefined) return
    const reader = logReader(settings, visible.language)
    for await (const rows of batches(usage, { ...filter, userId }))
      yield linesOf(
        rows.map((row) => ownView(row, reader)),
        'owner',
        visible,
      )
  }

  return { all, own }
}

function visibleTo({ language, quotaPerUnit, ...clock }: ExportReader): Visible {
  return { language, quotaPerUnit, zone: zoneOf(clock) }
}

async function* batches(
  usage: Pick<UsageRepository, 'batch'>,
  filter: LogFilter,
): AsyncGenerator<readonly LogRow[]> {
  let before: number | undefined
  do {
    const batch = await usage.batch(filter, before, batchRows)
    if (batch.rows.length > 0) yield batch.rows
    before = batch.next
  } while (before !== undefined)
}

function linesOf(rows: readonly LogEntry[], reader: 'admin' | 'owner', visible: Visible): string {
  return rows.map((row) => csvLine(rowCells(row, reader, visible))).join('')
}
