import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { SearchX, Tags } from 'lucide-react'
import { type ReactNode, Suspense, useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, TableViewMenu, useTableView } from '../../components/data-table/index.ts'
import { sortOf, sortText } from '../../components/list/list-search.ts'
import { SegmentedControl } from '../../components/ui/field/segmented-control.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { LinkButton } from '../../components/ui/link-button.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { refusedModelsQuery } from '../../lib/api/refused-models.ts'
import { usePageSize } from '../../lib/browser/page-size.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { isRoot, useUser } from '../../lib/session/session.ts'
import { modelCostsQuery, servedModelsQuery } from './api.ts'
import { useModelColumns } from './columns.tsx'
import { ModelFilters } from './filters.tsx'
import { listedModels, type ModelRow, modelRows } from './model-rows.ts'
import { type ModelsSearch, type PriceView, priceViews } from './search.ts'

const PriceSheet = lazyComponent(() => import('./price-sheet.tsx'), 'PriceSheet')

const route = getRouteApi('/console/models')
const defaultRows = 50

/** Shows the price of every served model, and the way to change it. */
export function ModelsPage(): ReactNode {
  const { t } = useTranslation('models')
  const search = route.useSearch()
  const show = useShow()
  const { rows, query } = useModelRows()
  const priceView = search.view ?? 'prices'
  const view = useTableView(
    'models',
    useModelColumns({ view: priceView, onOpen: useCallback((price: string) => show({ price }), [show]) }),
  )
  return (
    <Page layout="fill">
      <PageHeader title={t('title')} actions={<SettingsLink />} />
      <FilterBar
        search={{
          value: search.keyword ?? '',
          placeholder: t('search'),
          onSearch: (keyword) => show({ keyword: keyword || undefined, page: undefined }),
        }}
        end={
          <>
            <ViewChoice view={priceView} onChange={(next) => show({ view: next })} />
            <TableViewMenu view={view} />
          </>
        }
      >
        <ModelFilters rows={rows ?? []} search={search} onChange={show} />
      </FilterBar>
      <ModelTable view={view} rows={rows} query={query} search={search} onShow={show} />
      <Suspense>
        {search.price !== undefined && (
          <PriceSheet
            key={search.price}
            model={search.price}
            query={query}
            row={rows?.find(({ model_name }) => model_name === search.price)}
            onClose={() => show({ price: undefined })}
          />
        )}
      </Suspense>
    </Page>
  )
}

type Show = (part: Partial<ModelsSearch>) => void

function useShow(): Show {
  const navigate = route.useNavigate()
  return useCallback(
    (part) => void navigate({ search: (before: ModelsSearch) => ({ ...before, ...part }), replace: true }),
    [navigate],
  )
}

function useModelRows() {
  const query = useQuery(servedModelsQuery)
  const { data: refused } = useQuery(refusedModelsQuery)
  const { data: costs } = useQuery(modelCostsQuery)
  const { data } = query
  const rows = useMemo(() => data && modelRows(data, refused ?? [], costs ?? []), [data, refused, costs])
  return { query, rows }
}

/** Links to surcharges, video prices and the ratios of groups, and (for root) to corrections of charges. */
function SettingsLink() {
  const { t } = useTranslation('models')
  const isOwn = isRoot(useUser())
  return (
    <>
      {isOwn && <LinkButton to="/correction">{t('correctCharges')}</LinkButton>}
      <LinkButton to="/setting" search={{ tab: 'operation' }}>
        {t('moreSettings')}
      </LinkButton>
    </>
  )
}

interface ViewChoiceProps {
  readonly view: PriceView
  readonly onChange: (view: PriceView) => void
}

function ViewChoice({ view, onChange }: ViewChoiceProps) {
  const { t } = useTranslation('models')
  return (
    <SegmentedControl
      label={t('view.label')}
      value={view}
      options={priceViews.map((value) => ({ value, label: t(`view.${value}`) }))}
      onChange={onChange}
    />
  )
}

interface ModelTableProps {
  readonly view: ReturnType<typeof useTableView<ModelRow>>
  readonly rows: readonly ModelRow[] | undefined
  readonly query: ReturnType<typeof useModelRows>['query']
  readonly search: ModelsSearch
  readonly onShow: Show
}

/** The models that match, page by page. */
function ModelTable({ view, rows, query, search, onShow }: ModelTableProps) {
  const { t } = useTranslation('models')
  const [pageSize, setPageSize] = usePageSize(defaultRows)
  const sort = sortOf(search)
  const listed = rows && listedModels(rows, search, sort)
  const page = Math.min(search.page ?? 1, Math.max(1, Math.ceil((listed?.length ?? 0) / pageSize)))
  const onPage = listed?.slice((page - 1) * pageSize, page * pageSize)
  return (
    <>
      <DataTable
        view={view}
        rows={onPage}
        rowId={({ model_name }) => model_name}
        label={t('title')}
        error={query.error}
        onRetry={() => void query.refetch()}
        onRowClick={({ model_name }) => onShow({ price: model_name })}
        sort={sort}
        onSortChange={(next) => onShow({ sort: sortText(next), page: undefined })}
        empty={<NoModels hasAny={rows !== undefined && rows.length > 0} state={search.state} />}
      />
      {listed && listed.length > 0 && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={listed.length}
          count={onPage?.length ?? 0}
          onPageChange={(next) => onShow({ page: next === 1 ? undefined : next })}
          onPageSizeChange={setPageSize}
        />
      )}
    </>
  )
}

interface NoModelsProps {
  readonly hasAny: boolean
  readonly state: ModelsSearch['state']
}

function NoModels({ hasAny, state }: NoModelsProps) {
  const { t } = useTranslation('models')
  if (state === 'unpriced' && hasAny)
    return (
      <EmptyState icon={Tags} title={t('empty.allPriced')}>
        {t('empty.allPricedHint')}
      </EmptyState>
    )
  if (hasAny) return <EmptyState icon={SearchX} title={t('empty.noMatch')} />
  return (
    <EmptyState
      icon={Tags}
      title={t('empty.title')}
      action={
        <LinkButton to="/channel/add" variant="primary">
          {t('empty.addChannel')}
        </LinkButton>
      }
    >
      {t('empty.hint')}
    </EmptyState>
  )
}
