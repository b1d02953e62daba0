export { actionsColumn, type DataColumn, withHeaders } from './columns.ts'
export { DataTable } from './data-table.tsx'
export { RunProgress } from './selection-bar.tsx'
export { TableViewMenu, useTableView } from './table-view.tsx'
