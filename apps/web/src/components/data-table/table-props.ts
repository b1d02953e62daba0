import {
  columnVisibilityFeature,
  type ReactTable,
  type RowData,
  rowSelectionFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { ReactNode } from 'react'
import type { SortState } from './columns.ts'
import type { TableView } from './table-view.tsx'

/** Only what the table uses, so that only that is in the bundle. */
export const features = tableFeatures({ columnVisibilityFeature, rowSelectionFeature })

export interface DataTableProps<Row extends RowData> {
  readonly view: TableView<Row>
  /** `undefined` until the first response: the table draws skeleton rows. */
  readonly rows: readonly Row[] | undefined
  readonly rowId: (row: Row) => string
  /** Name of the table for screen readers. */
  readonly label: string
  /** The list could not be read; what was there before stays on screen with the error above it. */
  readonly error?: Error | null
  readonly onRetry?: () => void
  /** Other rows are on their way: the present ones fade. */
  readonly refreshing?: boolean
  /** Shown when there are no rows: teach the next step, or say that the filters match nothing. */
  readonly empty: ReactNode
  readonly onRowClick?: (row: Row) => void
  /** Grey: switched off, expired. */
  readonly isMuted?: (row: Row) => boolean
  readonly sort?: SortState | undefined
  readonly onSortChange?: (sort: SortState | undefined) => void
  /** Drawn under a row that is open; with it rows get a fold. */
  readonly renderDetail?: (row: Row) => ReactNode
  readonly selection?: TableSelection<Row>
  /** Draws tiles in place of rows. */
  readonly tile?: ((row: Row) => ReactNode) | undefined
}

export interface TableSelection<Row extends RowData> {
  /** Ids of the chosen rows. */
  readonly ids: ReadonlySet<string>
  readonly onChange: (ids: ReadonlySet<string>) => void
  /** Rows that cannot be chosen have no checkbox. */
  readonly isSelectable?: (row: Row) => boolean
  /** Renders the actions on them: the buttons of the bar at the bottom. */
  readonly actions: (rows: readonly Row[]) => ReactNode
}

export type DataTableInstance<Row extends RowData> = ReactTable<typeof features, Row>

/** Props of the grid and the cards. */
export interface TableBodyProps<Row extends RowData> extends DataTableProps<Row> {
  readonly table: DataTableInstance<Row>
}
