import type { RowData } from '@tanstack/react-table'
import { RotateCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePhone } from '../../lib/media-query.ts'
import { type DataColumn, DataTable, TableViewMenu, useTableView } from '../data-table/index.ts'
import { IconButton } from '../ui/button.tsx'
import { FilterBar } from '../ui/filter-bar.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { BulkAction } from './bulk-actions.tsx'
import { CopyRows, CopySelected, type SelectionCopy } from './copy-selected.tsx'
import { type ListFilter, ListFilters } from './list-filters.tsx'
import { type ListSearch, sortOf, sortText } from './list-search.ts'
import type { StepOptions } from './step-options.ts'
import type { List } from './use-list.ts'
import { useSelection } from './use-selection.ts'

// A list with rows and nothing chosen needs neither.
const BulkActions = lazy(() =>
  import('./bulk-actions.tsx').then((module) => ({ default: module.BulkActions })),
)
const EmptyList = lazy(() => import('./empty-list.tsx').then((module) => ({ default: module.EmptyList })))

export interface SearchBox<Search> {
  readonly placeholder: string
  readonly value: string
  /** What typed text looks for; empty text looks for nothing. */
  readonly toSearch: (text: string) => Partial<Search>
}

export interface ListEmpty {
  /** Whether a filter or a search narrows the list. */
  readonly narrowed: boolean
  /** Why nothing may have matched, where the page knows. */
  readonly hint?: ReactNode
  /** When there is nothing at all yet, or nothing in what the page shows at first. */
  readonly first: ReactNode
}

export interface ListPageProps<Row extends RowData & { readonly id: number }, Search extends ListSearch> {
  /** Names the table in local storage. */
  readonly name: string
  readonly title: string
  /** Right of the title: the primary action. */
  readonly actions?: ReactNode
  /** Between title and filters. */
  readonly notice?: ReactNode
  readonly columns: readonly DataColumn<Row>[]
  readonly list: List<Row>
  /** What the address says. */
  readonly search: Search
  /** Changes the address. */
  readonly onSearch: (next: Search, options?: StepOptions) => void
  readonly searchBox?: SearchBox<Search>
  readonly filters?: readonly ListFilter[]
  /** Filters of another form, such as a stretch of time. */
  readonly moreFilters?: ReactNode
  /** At the right end of the filters. */
  readonly viewControls?: ReactNode
  /** What it says when there are no rows. */
  readonly empty: ListEmpty
  /** In force while the address names no other. */
  readonly defaultSort?: string
  readonly onOpen?: (row: Row) => void
  readonly isMuted?: (row: Row) => boolean
  readonly bulk?: {
    /** All can be chosen without it. */
    readonly isSelectable?: (row: Row) => boolean
    readonly actions: readonly BulkAction[]
    readonly nameOf: (row: Row) => string
    /** Copies the chosen rows as text. */
    readonly copy?: SelectionCopy<Row>
  }
  /** Sheets and dialogs. */
  readonly children?: ReactNode
}

/** Any list of the console: title, filters, table, pages and what can be done to many rows, all of it in the address. */
export function ListPage<Row extends RowData & { readonly id: number }, Search extends ListSearch>(
  props: ListPageProps<Row, Search>,
): ReactNode {
  const { title, list, search, onSearch, bulk } = props
  const view = useTableView(props.name, props.columns)
  const show = (part: Partial<Search>) =>
    onSearch({ ...search, page: undefined, selected: undefined, ...part })
  const { ids, select } = useSelection(search, onSearch)
  return (
    <Page layout="fill">
      <PageHeader title={title} actions={props.actions} />
      {props.notice}
      <ListBar {...props} view={view} show={show} />
      <DataTable
        view={view}
        rows={list.rows}
        rowId={({ id }) => String(id)}
        label={title}
        error={list.error}
        onRetry={list.refresh}
        refreshing={list.refreshing}
        empty={
          <Suspense>
            <EmptyList
              page={list.page}
              {...props.empty}
              onFirstPage={() => show({})}
              onClear={() => onSearch({} as Search)}
            />
          </Suspense>
        }
        sort={sortOf({ sort: search.sort ?? props.defaultSort })}
        onSortChange={(sort) => show({ sort: sortText(sort) } as Partial<Search>)}
        {...(props.onOpen && { onRowClick: props.onOpen })}
        {...(props.isMuted && { isMuted: props.isMuted })}
        {...(bulk && {
          selection: {
            ids,
            onChange: select,
            ...(bulk.isSelectable && { isSelectable: bulk.isSelectable }),
            actions: (rows: readonly Row[]) => (
              <>
                {bulk.copy && <CopyRows rows={rows} copy={bulk.copy} />}
                <Suspense>
                  <BulkActions
                    actions={bulk.actions}
                    chosen={rows.map((row) => ({ id: row.id, name: bulk.nameOf(row) }))}
                    onDone={(failed) => select(new Set(failed.map(String)))}
                  />
                </Suspense>
              </>
            ),
          },
        })}
      />
      <ListPages {...props} show={show} />
      {props.children}
    </Page>
  )
}

interface PartProps<Row extends RowData & { readonly id: number }, Search extends ListSearch>
  extends ListPageProps<Row, Search> {
  readonly show: (part: Partial<Search>) => void
}

interface BarProps<Row extends RowData & { readonly id: number }, Search extends ListSearch>
  extends PartProps<Row, Search> {
  readonly view: ReturnType<typeof useTableView<Row>>
}

function ListBar<Row extends RowData & { readonly id: number }, Search extends ListSearch>({
  list,
  search,
  searchBox,
  filters = [],
  moreFilters,
  viewControls,
  bulk,
  view,
  show,
}: BarProps<Row, Search>) {
  const { t } = useTranslation()
  const phone = usePhone()
  const chosenOf = (name: string) => textOf(search[name as keyof Search])
  return (
    <FilterBar
      {...(searchBox && {
        search: {
          value: searchBox.value,
          placeholder: searchBox.placeholder,
          onSearch: (text: string) => show(searchBox.toSearch(text)),
        },
      })}
      end={
        // A phone reads a list again when the page is pulled down, and has no columns.
        !phone && (
          <>
            {viewControls}
            {bulk?.copy && <CopySelected rows={list.rows} search={search} copy={bulk.copy} />}
            <IconButton
              icon={RotateCw}
              label={t('list.refresh')}
              loading={list.fetching}
              onClick={list.refresh}
            />
            <TableViewMenu view={view} />
          </>
        )
      }
    >
      {(filters.length > 0 || moreFilters) && (
        <ListFilters
          filters={filters}
          chosenOf={chosenOf}
          onChange={(name, value) => show({ [name]: value } as Partial<Search>)}
        >
          {moreFilters}
        </ListFilters>
      )}
    </FilterBar>
  )
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value)
}

function ListPages<Row extends RowData & { readonly id: number }, Search extends ListSearch>({
  list,
  show,
}: PartProps<Row, Search>) {
  const count = list.count ?? list.rows?.length ?? 0
  if (count === 0 && list.page === 1) return null
  return (
    <Pagination
      page={list.page}
      pageSize={list.pageSize}
      total={list.total}
      count={count}
      onPageChange={(page) => show({ page: page === 1 ? undefined : page } as Partial<Search>)}
      onPageSizeChange={(size) => {
        list.setPageSize(size)
        show({})
      }}
    />
  )
}
