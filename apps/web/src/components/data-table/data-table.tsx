import { type ColumnDef, type RowData, useTable } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { usePhone } from '../../lib/browser/media-query.ts'
import { ErrorState } from '../ui/states.tsx'
import { CardList } from './card-list.tsx'
import type { DataColumn } from './columns.ts'
import { SelectionBar } from './selection-bar.tsx'
import { TableGrid } from './table-grid.tsx'
import { type DataTableProps, features } from './table-props.ts'
import { TileGrid } from './tile-grid.tsx'

/** A server-paged table: a grid on a desk, cards on a phone, with its loading, empty and error states. */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { view, rows, rowId, error, onRetry, empty, selection } = props
  const phone = usePhone()
  const columns = useMemo(() => view.columns.map(toColumnDef), [view.columns])
  const data = rows ?? noRows
  const chosen = useMemo(
    () => Object.fromEntries([...(selection?.ids ?? [])].map((id) => [id, true] as const)),
    [selection?.ids],
  )
  const table = useTable<typeof features, Row>({
    features,
    columns,
    data: data as Row[],
    getRowId: rowId,
    enableRowSelection: ({ original }) => selection?.isSelectable?.(original) ?? true,
    state: {
      columnVisibility: view.visibility as Record<string, boolean>,
      rowSelection: chosen,
    },
    onRowSelectionChange: (update) => {
      const after = typeof update === 'function' ? update(chosen) : update
      selection?.onChange(new Set(Object.keys(after).filter((id) => after[id])))
    },
  })
  const failed = error ? (
    <ErrorState error={error} {...(onRetry && { onRetry })} retrying={props.refreshing ?? false} />
  ) : undefined
  if (failed && rows === undefined) return <Frame>{failed}</Frame>
  if (rows?.length === 0) return <Frame>{failed ?? empty}</Frame>
  return (
    <>
      {props.tile ? (
        <TileGrid {...props} tile={props.tile} table={table} />
      ) : phone ? (
        <CardList {...props} table={table} />
      ) : (
        <TableGrid {...props} table={table} />
      )}
      {selection && selection.ids.size > 0 && (
        <SelectionBar count={selection.ids.size} onClear={() => selection.onChange(new Set())}>
          {selection.actions(data.filter((row) => selection.ids.has(rowId(row))))}
        </SelectionBar>
      )}
    </>
  )
}

const noRows: readonly never[] = []

function toColumnDef<Row extends RowData>(column: DataColumn<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    header: column.header,
    cell: ({ row }) => column.cell(row.original),
  }
}

function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="grid min-h-72 flex-1 place-items-center rounded-lg border bg-surface">{children}</div>
  )
}
