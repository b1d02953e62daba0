import '../../styles/pages.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Calculator, SearchX, Tags } from 'lucide-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, TableViewMenu, useTableView } from '../../components/data-table/index.ts'
import { sortOf, sortText } from '../../components/list/list-search.ts'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { EmptyState, Skeleton } from '../../components/ui/states.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { performanceQuery, pricingQuery } from '../../lib/api/pricing.ts'
import { usePageSize } from '../../lib/browser/page-size.ts'
import { cx } from '../../lib/cx.ts'
import { useUser } from '../../lib/session/session.ts'
import { usePricingColumns } from './columns.tsx'
import { PricingFilters } from './filters.tsx'
import { startJob } from './job-form.ts'
import { JobPanel, useJobCosts } from './job-panel.tsx'
import { type ListedRow, listedRows } from './price-list.ts'

const route = getRouteApi('/plain/pricing')
const visitorsGroup = 'default'
const defaultRows = 50

/** Shows the visitor's price of each model. */
export function PricingPage(): ReactNode {
  const { t } = useTranslation('pricing')
  const user = useUser()
  const prices = usePrices()
  const { pricing, keyword, ownGroup, group, groupRatio, show } = prices
  const columns = usePricingColumns({
    pricing,
    group,
    groupRatio,
    onShowGroup: prices.showGroup,
    isMeasured: prices.isMeasured,
    jobOutput: prices.isJobOpen ? prices.job.output : undefined,
  })
  const view = useTableView('pricing', columns)
  return (
    <Page layout="fill">
      <PageHeader title={t('title')} description={t('description')} />
      <GroupBanner
        isLoggedIn={user !== undefined}
        prices={
          pricing && {
            group: ownGroup,
            ratio: pricing.group_ratio[ownGroup] ?? 1,
            visible: group === ownGroup ? undefined : { group, ratio: groupRatio },
          }
        }
      />
      <FormulaBanner />
      <FilterBar
        search={{
          value: keyword,
          placeholder: t('search'),
          onSearch: (text) => show({ keyword: text || undefined }),
        }}
        end={
          <>
            <Button
              icon={Calculator}
              aria-pressed={prices.isJobOpen}
              onClick={() => show({ job: prices.isJobOpen ? undefined : true })}
            >
              {t('job.open')}
            </Button>
            <TableViewMenu view={view} />
          </>
        }
      >
        <PricingFilters
          pricing={pricing}
          search={prices.search}
          group={group === ownGroup ? undefined : group}
          onChange={show}
        />
      </FilterBar>
      {prices.isJobOpen && (
        <JobPanel form={prices.jobForm} error={prices.job.error} onChange={prices.setJobForm} />
      )}
      <PriceTable view={view} prices={prices} />
    </Page>
  )
}

type PricingSearch = ReturnType<typeof route.useSearch>

/** The prices of the group that the address names, else of the visitor's own. */
function usePrices() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const userId = useUser()?.id
  const query = useQuery(pricingQuery(userId))
  const { data: measured } = useQuery(performanceQuery(userId))
  const performance = useMemo(() => new Map(measured?.map((row) => [row.model_name, row])), [measured])
  const { data: pricing } = query
  const ownGroup = pricing?.user_group || visitorsGroup
  const group = pricing?.group_ratio[search.group ?? ''] === undefined ? ownGroup : (search.group ?? ownGroup)
  const { keyword = '', page = 1 } = search
  const sort = sortOf(search)
  const isJobOpen = search.job === true
  const [jobForm, setJobForm] = useState(startJob)
  const job = useJobCosts(jobForm, group, isJobOpen && pricing !== undefined)
  const costs = useMemo(
    () => job.costs && new Map(job.costs.map((cost) => [cost.model_name, cost])),
    [job.costs],
  )
  const show = useCallback(
    (part: Partial<PricingSearch>) =>
      void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true }),
    [navigate],
  )
  return {
    query,
    pricing,
    search,
    isMeasured: performance.size > 0,
    isJobOpen,
    job,
    jobForm,
    setJobForm,
    rows:
      pricing &&
      listedRows(pricing.rows, {
        group,
        keyword,
        sort: isJobOpen || sort?.column !== 'job' ? sort : undefined,
        vendor: search.vendor,
        capability: search.capability,
        costs,
        performance,
      }),
    keyword,
    page,
    sort,
    ownGroup,
    group,
    groupRatio: pricing?.group_ratio[group] ?? 1,
    show,
    showGroup: useCallback((name: string) => show({ group: name }), [show]),
  }
}

interface PriceTableProps {
  readonly view: ReturnType<typeof useTableView<ListedRow>>
  readonly prices: ReturnType<typeof usePrices>
}

/** The models and their prices, page by page; the chosen names can be copied. */
function PriceTable({ view, prices }: PriceTableProps) {
  const { t } = useTranslation('pricing')
  const { query, rows, keyword, page, sort, show, search } = prices
  const isFiltered = search.vendor !== undefined || search.capability !== undefined
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [pageSize, setPageSize] = usePageSize(defaultRows)
  const onPage = rows?.slice((page - 1) * pageSize, page * pageSize)
  const empty =
    keyword === '' && isFiltered ? (
      <EmptyState icon={SearchX} title={t('filter.noMatch')} />
    ) : keyword === '' ? (
      <EmptyState icon={Tags} title={t('empty.title')}>
        {t('empty.hint')}
      </EmptyState>
    ) : (
      <EmptyState icon={SearchX} title={t('noMatch', { keyword })} />
    )
  return (
    <>
      <DataTable
        view={view}
        rows={onPage}
        rowId={({ model_name }) => model_name}
        label={t('title')}
        error={query.error}
        onRetry={() => void query.refetch()}
        refreshing={query.isRefetching}
        isMuted={({ isServed }) => !isServed}
        sort={sort}
        onSortChange={(next) => show({ sort: sortText(next) })}
        empty={empty}
        selection={{
          ids: selected,
          onChange: setSelected,
          actions: () => (
            <CopyButton withText size="md" value={[...selected].join(',')} label={t('copySelected')} />
          ),
        }}
      />
      {rows && rows.length > 0 && (
        <Pagination
          page={page}
          pageSize={pageSize}
          total={rows.length}
          count={onPage?.length ?? 0}
          onPageChange={(next) => show({ page: next === 1 ? undefined : next })}
          onPageSizeChange={setPageSize}
        />
      )}
    </>
  )
}

interface GroupBannerProps {
  readonly isLoggedIn: boolean
  /** `undefined` until they are known: the banner has its room from the start. */
  readonly prices:
    | {
        readonly group: string
        readonly ratio: number
        /** Another group whose prices are shown instead. */
        readonly visible: { readonly group: string; readonly ratio: number } | undefined
      }
    | undefined
}

/** Names the group whose prices these are. */
function GroupBanner({ isLoggedIn, prices }: GroupBannerProps): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <Notice tone={isLoggedIn ? 'good' : 'warn'}>
      <span
        className={cx('flex min-h-lh flex-wrap content-start gap-x-1.5', !isLoggedIn && 'max-sm:min-h-[2lh]')}
      >
        {prices === undefined ? (
          <Skeleton className="w-64! max-w-full" />
        ) : (
          <>
            {isLoggedIn ? t('banner.group', prices) : t('banner.guest', prices)}
            {prices.visible && ` ${t('banner.shown', prices.visible)}`}
            {!isLoggedIn && (
              <Link to="/login" search={{ redirect: '/pricing' }} className="underline">
                {t('banner.login')}
              </Link>
            )}
          </>
        )}
      </span>
    </Notice>
  )
}

/** Explains the computation of a charge. */
function FormulaBanner(): ReactNode {
  const { t } = useTranslation('pricing')
  return (
    <Notice tone="info" title={t('formula.title')}>
      {t('formula.text')}
    </Notice>
  )
}
