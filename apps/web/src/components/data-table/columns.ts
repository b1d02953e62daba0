import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'

/** One column of a table: what it is called and how a row shows it. Columns live in a file of their own per feature. */
export interface DataColumn<Row extends RowData> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** Right-aligned tabular digits. */
  readonly numeric?: boolean
  /**
   * CSS length; the column shrinks to its content without one, and `grow` takes the remaining width, at least its own. Where
   * every other column has one, the table keeps to these widths whatever its cells contain.
   */
  readonly width?: string
  readonly grow?: boolean
  /** Sort marks appear in the header; the page does the sorting. */
  readonly sortable?: boolean
  /** Columns right before it whose room its cell takes in this row, in which they say nothing. Its text may wrap there. */
  readonly over?: (row: Row) => readonly string[]
  /** May not be switched off. The first column and `actions` never may. */
  readonly fixed?: boolean
  /** Off until switched on. */
  readonly hidden?: boolean
  /**
   * Position on a phone's card: `title` the first line, `corner` at its right, `subtitle` small below both, `figure` large, `line` a
   * line with its label (the default), `none` nowhere.
   */
  readonly card?: 'title' | 'corner' | 'subtitle' | 'figure' | 'line' | 'none'
  /** Decides which rows' cards have it; all of them by default. */
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

/** Room of a growing column in a table of given widths, before the table scrolls. */
const minGrowing = '2.5rem'

/** Least width of a table whose columns have given widths; `undefined` where they are as wide as their cells. */
export function fixedWidth<Row extends RowData>(columns: readonly DataColumn<Row>[]): string | undefined {
  if (columns.some(({ width, grow }) => width === undefined && !grow)) return undefined
  return `calc(${columns.map(({ width }) => width ?? minGrowing).join(' + ')})`
}

export interface Cell<Row extends RowData> {
  readonly column: DataColumn<Row>
  /** Columns that it is as wide as. */
  readonly span: number
}

/** The cells of a row: one for each column, but for those whose room a later one takes. */
export function cellsOf<Row extends RowData>(
  columns: readonly DataColumn<Row>[],
  row: Row,
): readonly Cell<Row>[] {
  const cells: Cell<Row>[] = []
  for (const column of columns) {
    const over = column.over?.(row) ?? []
    let span = 1
    while (over.includes(cells.at(-1)?.column.id ?? '')) span += cells.pop()?.span ?? 0
    cells.push({ column, span })
  }
  return cells
}

/** Decides whether the person may switch the column off. */
export function isHideable<Row extends RowData>(column: DataColumn<Row>, index: number): boolean {
  return index > 0 && !column.fixed && column.id !== actionsColumn
}
