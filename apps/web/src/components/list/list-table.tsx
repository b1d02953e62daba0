import type { RowData } from '@tanstack/react-table'
import { type ReactNode, Suspense } from 'react'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { DataTable, type useTableView } from '../data-table/index.ts'
import { Pagination } from '../ui/pagination.tsx'
import type { BulkAction } from './bulk-actions.tsx'
import { CopyRows, type SelectionCopy } from './copy-selected.tsx'
import { type ListSearch, sortOf, sortText } from './list-search.ts'
import type { List } from './use-list.ts'
import type { Selection } from './use-selection.ts'

// A list with rows and nothing chosen needs neither.
const BulkActions = lazyComponent(() => import('./bulk-actions.tsx'), 'BulkActions')
const EmptyList = lazyComponent(() => import('./empty-list.tsx'), 'EmptyList')

/** Actions on many rows. */
export interface BulkProps<Row> {
  /** All can be chosen without it. */
  readonly isSelectable?: (row: Row) => boolean
  readonly actions: readonly BulkAction[]
  readonly nameOf: (row: Row) => string
  /** Copies the chosen rows as text. */
  readonly copy?: SelectionCopy<Row>
}

export interface ListTableProps<Row extends RowData & { readonly id: number }> {
  readonly view: ReturnType<typeof useTableView<Row>>
  /** Name of the table for screen readers. */
  readonly label: string
  readonly list: List<Row>
  /** Content without rows. */
  readonly empty: { readonly narrowed: boolean; readonly hint?: ReactNode; readonly first: ReactNode }
  /** Takes search and filters back. */
  readonly onClear: () => void
  /** Changes page or order in the address; the first page without a page. */
  readonly show: (part: Pick<ListSearch, 'page' | 'sort'>) => void
  readonly sort?: string | undefined
  readonly onRowClick?: (row: Row) => void
  readonly isMuted?: (row: Row) => boolean
  readonly tile?: ((row: Row) => ReactNode) | undefined
  readonly bulk?: BulkProps<Row> & Selection
}

/** The rows of a list with its pages, and its empty state. */
export function ListTable<Row extends RowData & { readonly id: number }>(
  props: ListTableProps<Row>,
): ReactNode {
  const { list, show, empty, bulk, onClear, sort, ...table } = props
  const count = list.count ?? list.rows?.length ?? 0
  return (
    <>
      <DataTable
        {...table}
        rows={list.rows}
        rowId={({ id }) => String(id)}
        error={list.error}
        onRetry={list.refresh}
        refreshing={list.refreshing}
        empty={
          <Suspense>
            <EmptyList page={list.page} {...empty} onFirstPage={() => show({})} onClear={onClear} />
          </Suspense>
        }
        sort={sortOf({ sort })}
        onSortChange={(next) => show({ sort: sortText(next) })}
        {...(bulk && { selection: selectionOf(bulk) })}
      />
      {(count > 0 || list.page > 1) && (
        <Pagination
          page={list.page}
          pageSize={list.pageSize}
          total={list.total}
          count={count}
          onPageChange={(page) => show({ page: page === 1 ? undefined : page })}
          onPageSizeChange={(size) => {
            list.setPageSize(size)
            show({})
          }}
        />
      )}
    </>
  )
}

function selectionOf<Row extends RowData & { readonly id: number }>(bulk: BulkProps<Row> & Selection) {
  const { ids, select, isSelectable, copy, actions, nameOf } = bulk
  return {
    ids,
    onChange: select,
    ...(isSelectable && { isSelectable }),
    actions: (rows: readonly Row[]) => (
      <>
        {copy && <CopyRows rows={rows} copy={copy} />}
        <Suspense>
          <BulkActions
            actions={actions}
            chosen={rows.map((row) => ({ id: row.id, name: nameOf(row) }))}
            onDone={(failed) => select(new Set(failed.map(String)))}
          />
        </Suspense>
      </>
    ),
  }
}
