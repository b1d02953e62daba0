import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/api'
import { KeyRound, Plus, RotateCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, TableViewMenu, useTableView } from '../../components/data-table/index.ts'
import { buttonClass, IconButton } from '../../components/ui/button.tsx'
import { FilterBar } from '../../components/ui/filter-bar.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import { type Command, useCommands } from '../../lib/commands.ts'
import { useHotkey } from '../../lib/hotkeys.ts'
import { usePhone } from '../../lib/use-phone.ts'
import { BulkActions } from './bulk/bulk-actions.tsx'
import { useBulk } from './bulk/use-bulk.ts'
import { useTokenColumns } from './columns.tsx'
import { searchTermsOf } from './keys.ts'
import { NoTokens } from './no-tokens.tsx'
import { stateOf } from './token-state.ts'
import { type TokenFilter, type TokenList, useTokenList } from './use-token-list.ts'

const ReportDialog = lazy(() =>
  import('./bulk/report-dialog.tsx').then((module) => ({ default: module.ReportDialog })),
)
const KeysDialog = lazy(() =>
  import('./use/keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })),
)

const route = getRouteApi('/console/token')

/** The own keys: what each may do, what it has spent, and everything that can be done with it. */
export function TokensPage(): ReactNode {
  const { t } = useTranslation('tokens')
  const filter = route.useSearch()
  const navigate = useNavigate({ from: '/token' })
  const phone = usePhone()
  const [used, setUsed] = useState<Token>()
  const list = useTokenList(filter)
  const bulk = useBulk()
  const view = useTableView('tokens', useTokenColumns({ onShowUse: setUsed }))
  const add = () => void navigate({ to: '/token/add', search: true })
  const edit = (id: number) =>
    void navigate({ to: '/token/edit/$id', params: { id: String(id) }, search: true })
  useHotkey('c', t('create.title'), add)
  useCommands(useTokenCommands(list, edit))

  /** Another slice of the list: what was chosen is not on it. */
  function show(next: TokenFilter): void {
    bulk.select(new Set())
    void navigate({ to: '/token', search: next })
  }

  return (
    <Page layout="fill">
      <PageHeader
        title={t('title')}
        actions={
          <Link to="/token/add" search={true} className={buttonClass('primary')}>
            <Plus className="size-3.5" aria-hidden />
            {t('create.title')}
          </Link>
        }
      />
      <Notice tone="warn">{t('warning')}</Notice>
      <FilterBar
        search={{
          value: filter.token ?? filter.keyword ?? '',
          placeholder: t('filter.search'),
          onSearch: (text) => show(searchTermsOf(text)),
        }}
        end={
          // A phone has no room for them beside the search, and reads the list again when the page is pulled down.
          !phone && (
            <>
              <IconButton
                icon={RotateCw}
                label={t('filter.refresh')}
                loading={list.fetching}
                onClick={list.retry}
              />
              <TableViewMenu view={view} />
            </>
          )
        }
      />
      <DataTable
        view={view}
        rows={list.rows}
        rowId={({ id }) => String(id)}
        label={t('title')}
        error={list.error}
        onRetry={list.retry}
        refreshing={list.refreshing}
        empty={<NoTokens list={list} filter={filter} onShow={show} />}
        onRowClick={({ id }) => edit(id)}
        isMuted={(token) => stateOf(token) !== 'enabled'}
        selection={{
          ids: bulk.ids,
          onChange: bulk.select,
          actions: (tokens) => <BulkActions bulk={bulk} tokens={tokens} />,
        }}
      />
      {((list.rows?.length ?? 0) > 0 || list.page > 1) && (
        <Pagination
          page={list.page}
          pageSize={list.pageSize}
          total={list.total}
          count={list.rows?.length ?? 0}
          onPageChange={(page) => show({ ...filter, page: page === 1 ? undefined : page })}
          onPageSizeChange={(size) => {
            list.setPageSize(size)
            show({ ...filter, page: undefined })
          }}
        />
      )}
      <Suspense>
        {bulk.report && <ReportDialog report={bulk.report} onClose={bulk.closeReport} />}
        {used && (
          <KeysDialog
            tokens={[used]}
            title={t('use.title', { name: used.name })}
            description={t('use.description')}
            onClose={() => setUsed(undefined)}
          />
        )}
      </Suspense>
      <Outlet />
    </Page>
  )
}

/** The palette finds every key on screen by its name. */
function useTokenCommands(list: TokenList, edit: (id: number) => void): readonly Command[] {
  const { t } = useTranslation('tokens')
  const group = t('title')
  return (list.rows ?? []).map(({ id, name }) => ({
    id: `token-${id}`,
    title: name,
    group,
    icon: KeyRound,
    run: () => edit(id),
  }))
}
