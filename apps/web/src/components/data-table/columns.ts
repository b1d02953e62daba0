import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'

/** One column of a table: what it is called and how a row shows it. Columns live in a file of their own per feature. */
export interface DataColumn<Row extends RowData> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned tabular digits. */
  readonly numeric?: boolean
  /** CSS width; the column shrinks to its content without one, and `grow` takes the remaining width. */
  readonly width?: string
  readonly grow?: boolean
  /** Sort marks appear in the header; the page does the sorting. */
  readonly sortable?: boolean
  /** May not be switched off. The first column and `actions` never may. */
  readonly fixed?: boolean
  /** Off until switched on. */
  readonly hidden?: boolean
  /**
   * Where it goes on a phone's card: `title` the first line, `corner` at its right, `figure` large, `line` a line with
   * its label (the default), `none` nowhere.
   */
  readonly card?: 'title' | 'corner' | 'figure' | 'line' | 'none'
  /** Which rows' cards have it, where that is not all of them. */
  readonly onCard?: (row: Row) => boolean
}

/** Columns without their headers, which are the texts under their ids. */
export function withHeaders<Row extends RowData, const Id extends string>(
  columns: readonly (Omit<DataColumn<Row>, 'id' | 'header'> & { readonly id: Id })[],
  headerOf: (id: Id) => string,
): readonly DataColumn<Row>[] {
  return columns.map((column) => ({ ...column, header: headerOf(column.id) }))
}

/** Name of the column whose cells are buttons: no label, at the right, below the lines of a card. */
export const actionsColumn = 'actions'

export interface SortState {
  readonly column: string
  readonly descending: boolean
}

/** Next state of a pressed header: descending, ascending, none. */
export function nextSort(column: string, current: SortState | undefined): SortState | undefined {
  if (current?.column !== column) return { column, descending: true }
  return current.descending ? { column, descending: false } : undefined
}

/** Whether the person may switch the column off. */
export function isHideable<Row extends RowData>(column: DataColumn<Row>, index: number): boolean {
  return index > 0 && !column.fixed && column.id !== actionsColumn
}
