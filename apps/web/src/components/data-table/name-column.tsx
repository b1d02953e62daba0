import type { RowData } from '@tanstack/react-table'
import type { DataColumn } from './columns.ts'

/** The first column of rows that have a name: whole on hover, the title of a card. */
export function nameColumn<Row extends RowData & { readonly name: string }>(header: string): DataColumn<Row> {
  return {
    id: 'name',
    sortable: true,
    header,
    card: 'title',
    cell: ({ name }) => (
      <span className="block max-w-48 truncate max-sm:max-w-full" title={name}>
        {name}
      </span>
    ),
  }
}
