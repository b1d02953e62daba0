import type { RowData } from '@tanstack/react-table'
import type { FoundKey } from '@tollgate/api'
import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePhone } from '../../lib/browser/media-query.ts'
import { isWholeKey } from '../../lib/pasted-key.ts'
import { type DataColumn, focusFirstRow, TableViewMenu, useTableView } from '../data-table/index.ts'
import { useOpenKey } from '../found-key/index.ts'
import { IconButton } from '../ui/button.tsx'
import { FilterBar, type SearchBoxProps } from '../ui/filter-bar.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { CopySelected } from './copy-selected.tsx'
import { type ListFilter, ListFilters } from './list-filters.tsx'
import type { ListSearch } from './list-search.ts'
import { type BulkProps, ListTable } from './list-table.tsx'
import type { List } from './use-list.ts'
import { type StepOptions, useSelection } from './use-selection.ts'

/** Target of the search box: one name of the address, or the page's own reading of the text. */
export type ListSearchBox<Search> =
  | { readonly placeholder: string; readonly name: keyof Search & string }
  | {
      readonly placeholder: string
      readonly value: string
      /** Reads typed text as a search; empty text searches for nothing. */
      readonly toSearch: (text: string) => Partial<Search>
    }

export interface ListEmpty {
  /** Explanation of an empty result, where the page has one. */
  readonly hint?: ReactNode
  /** Content when there is nothing at all yet, or nothing in the page's default view. */
  readonly first: ReactNode
  /** Something beside search and filters narrows the list. */
  readonly narrowed?: boolean
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
  /** Parameters of the address. */
  readonly search: Search
  /** Changes the address. */
  readonly onSearch: (next: Search, options?: StepOptions) => void
  readonly searchBox?: ListSearchBox<Search>
  readonly filters?: readonly ListFilter[]
  /** Filters of another form, such as a stretch of time. */
  readonly moreFilters?: ReactNode
  /** Between filters and rows: what is in all of them. */
  readonly overview?: ReactNode
  /** Controls at the right end of the filters. */
  readonly viewControls?: ReactNode
  /** Content without rows. */
  readonly empty: ListEmpty
  /** Sorting in force while the address names no other. */
  readonly defaultSort?: string
  readonly onOpen?: (row: Row) => void
  readonly isMuted?: (row: Row) => boolean
  /** Hears of the key whose complete text somebody pasted into the search or a filter; by default it is opened. */
  readonly onKey?: (key: FoundKey) => void
  /** Draws tiles in place of rows. */
  readonly tile?: ((row: Row) => ReactNode) | undefined
  readonly bulk?: BulkProps<Row>
  /** Sheets and dialogs. */
  readonly children?: ReactNode
}

/** Any list of the console: title, filters, table, pages and what can be done to many rows, all of it in the address. */
export function ListPage<Row extends RowData & { readonly id: number }, Search extends ListSearch>(
  props: ListPageProps<Row, Search>,
): ReactNode {
  const { search, searchBox, filters = [], empty, onSearch, bulk } = props
  const view = useTableView(props.name, props.columns)
  const selection = useSelection(search, onSearch)
  const show = (part: Partial<Search>) =>
    onSearch({ ...search, page: undefined, selected: undefined, ...part })
  const openKey = useOpenKey(props.onKey)
  const box = searchBox && withoutKeys(filterBarSearch(searchBox, search, show), openKey)
  const isNarrowed =
    empty.narrowed || !!box?.value || filters.some(({ name }) => chosenText(search, name) !== undefined)
  return (
    <Page layout="fill">
      <PageHeader title={props.title} actions={props.actions} />
      {props.notice}
      <ListBar {...props} view={view} show={show} box={box} openKey={openKey} />
      {props.overview}
      <ListTable
        view={view}
        label={props.title}
        list={props.list}
        empty={{ ...empty, narrowed: isNarrowed }}
        onClear={() => onSearch({} as Search)}
        sort={search.sort ?? props.defaultSort}
        show={(part) => show(part as Partial<Search>)}
        {...(props.onOpen && { onRowClick: props.onOpen })}
        {...(props.isMuted && { isMuted: props.isMuted })}
        tile={props.tile}
        {...(bulk && { bulk: { ...bulk, ...selection } })}
      />
      {props.children}
    </Page>
  )
}

/** Keeps complete keys out of the address: they open the key. */
function withoutKeys(box: SearchBoxProps, openKey: (text: string) => void): SearchBoxProps {
  return { ...box, onSearch: (text) => (isWholeKey(text) ? openKey(text) : box.onSearch(text)) }
}

function filterBarSearch<Search extends ListSearch>(
  box: ListSearchBox<Search>,
  search: Search,
  show: (part: Partial<Search>) => void,
): SearchBoxProps {
  const { placeholder } = box
  if ('toSearch' in box)
    return { placeholder, value: box.value, onSearch: (text) => show(box.toSearch(text)) }
  return {
    placeholder,
    value: chosenText(search, box.name) ?? '',
    onSearch: (text) => show({ [box.name]: text || undefined } as Partial<Search>),
  }
}

function chosenText<Search extends ListSearch>(search: Search, name: string): string | undefined {
  const value = search[name as keyof Search]
  return value === undefined ? undefined : String(value)
}

interface BarProps<Row extends RowData & { readonly id: number }, Search extends ListSearch>
  extends ListPageProps<Row, Search> {
  readonly view: ReturnType<typeof useTableView<Row>>
  readonly show: (part: Partial<Search>) => void
  readonly box: SearchBoxProps | undefined
  readonly openKey: (text: string) => void
}

function ListBar<Row extends RowData & { readonly id: number }, Search extends ListSearch>({
  list,
  search,
  filters = [],
  moreFilters,
  viewControls,
  bulk,
  view,
  show,
  box,
  openKey,
}: BarProps<Row, Search>) {
  const { t } = useTranslation()
  const phone = usePhone()
  // A phone reads a list again when the page is pulled down, and has no columns.
  const end = !phone && (
    <>
      {viewControls}
      {bulk?.copy && <CopySelected rows={list.rows} search={search} copy={bulk.copy} />}
      <IconButton icon={RotateCw} label={t('list.refresh')} loading={list.fetching} onClick={list.refresh} />
      <TableViewMenu view={view} />
    </>
  )
  return (
    <FilterBar {...(box && { search: box })} end={end}>
      <button
        type="button"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded bg-accent px-3 py-2 text-on-accent text-sm focus:translate-y-0"
        onClick={focusFirstRow}
      >
        {t('list.skip')}
      </button>
      {(filters.length > 0 || moreFilters) && (
        <ListFilters
          filters={filters}
          chosenOf={(name) => chosenText(search, name)}
          onChange={(name, value) =>
            isWholeKey(value ?? '') ? openKey(value ?? '') : show({ [name]: value } as Partial<Search>)
          }
        >
          {moreFilters}
        </ListFilters>
      )}
    </FilterBar>
  )
}
