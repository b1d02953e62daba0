import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet, useNavigate } from '@tanstack/react-router'
import { type Channel, channelStatuses } from '@tollgate/api'
import { Cable, Plus, SearchX, Zap } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, useTableView } from '../../components/data-table/index.ts'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { EmptyState } from '../../components/ui/states.tsx'
import { type Command, useCommands } from '../../lib/commands.ts'
import { useHotkey } from '../../lib/hotkeys.ts'
import { testAllChannels } from './api.ts'
import { BulkActions } from './bulk/bulk-actions.tsx'
import { useBulk } from './bulk/use-bulk.ts'
import { useChannelColumns } from './columns.tsx'
import { ChannelFilters } from './filters.tsx'
import { type ChannelFilter, type ChannelList, useChannelList } from './use-channel-list.ts'

const OutcomesDialog = lazy(() =>
  import('./bulk/outcomes-dialog.tsx').then((module) => ({ default: module.OutcomesDialog })),
)
const TestDialog = lazy(() => import('./test-dialog.tsx').then((module) => ({ default: module.TestDialog })))

const route = getRouteApi('/console/channel')

/** Connections to upstream providers: how they do, and everything that can be done about it. */
export function ChannelsPage(): ReactNode {
  const { t } = useTranslation('channels')
  const { copy: _copy, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/channel' })
  const [testing, setTesting] = useState<Channel>()
  const testAll = useTestAll()
  const list = useChannelList(filter, testAll.watching)
  const bulk = useBulk()
  const view = useTableView('channels', useChannelColumns({ onTestModels: setTesting }))
  const add = () => void navigate({ to: '/channel/add', search: (search) => search })
  const edit = (id: number) =>
    void navigate({ to: '/channel/edit/$id', params: { id: String(id) }, search: (search) => search })
  useHotkey('c', t('create.title'), add)
  useCommands(useChannelCommands(list, { add, edit, testAll: testAll.start }))

  /** Another slice of the list: what was chosen is not on it. */
  function show(next: ChannelFilter): void {
    bulk.select(new Set())
    void navigate({ to: '/channel', search: next })
  }

  return (
    <Page layout="fill">
      <PageHeader
        title={t('title')}
        actions={
          <>
            <Button icon={Zap} loading={testAll.starting} onClick={testAll.start}>
              {t('action.testAll')}
            </Button>
            <Link to="/channel/add" search={filter} className={buttonClass('primary')}>
              <Plus className="size-3.5" aria-hidden />
              {t('create.title')}
            </Link>
          </>
        }
      />
      <ChannelFilters
        filter={filter}
        onChange={(part) => show({ ...filter, ...part, page: undefined })}
        list={list}
        view={view}
      />
      <DataTable
        view={view}
        rows={list.rows}
        rowId={({ id }) => String(id)}
        label={t('title')}
        error={list.error}
        onRetry={list.retry}
        refreshing={list.refreshing}
        empty={<NoChannels list={list} filter={filter} onShow={show} />}
        onRowClick={({ id }) => edit(id)}
        isMuted={({ status }) => status !== channelStatuses.enabled}
        sort={{ column: list.byId ? 'id' : 'priority', descending: true }}
        onSortChange={(next) => list.setById(next?.column === 'id' && next.descending)}
        selection={{
          ids: bulk.ids,
          onChange: bulk.select,
          actions: (channels) => <BulkActions bulk={bulk} channels={channels} />,
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
        {bulk.showOutcomes && <OutcomesDialog bulk={bulk} />}
        {testing && <TestDialog channel={testing} onClose={() => setTesting(undefined)} />}
      </Suspense>
      <Outlet />
    </Page>
  )
}

/** How long the list is watched closely after a test of all channels was started. */
const watchMs = 60_000

function useTestAll() {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const [watching, setWatching] = useState(false)
  useEffect(() => {
    if (!watching) return
    const timer = setTimeout(() => setWatching(false), watchMs)
    return () => clearTimeout(timer)
  }, [watching])
  const start = useMutation({
    mutationFn: testAllChannels,
    onSuccess: () => {
      setWatching(true)
      return client.invalidateQueries({ queryKey: ['channels', 'list'] })
    },
    meta: { successMessage: t('toast.testAllStarted') },
  })
  return { watching, starting: start.isPending, start: () => start.mutate() }
}

interface CommandTargets {
  readonly add: () => void
  readonly edit: (id: number) => void
  readonly testAll: () => void
}

/** What the palette can do while this page is open: its actions, and every channel on screen by name. */
function useChannelCommands(list: ChannelList, { add, edit, testAll }: CommandTargets): readonly Command[] {
  const { t } = useTranslation('channels')
  const group = t('title')
  const actions: readonly Command[] = [
    {
      id: 'channel-add',
      title: t('create.title'),
      group,
      icon: Plus,
      shortcut: 'c',
      keywords: ['create', 'new'],
      run: add,
    },
    { id: 'channel-test-all', title: t('action.testAllLong'), group, icon: Zap, run: testAll },
  ]
  const rows = (list.rows ?? []).map(({ id, name }) => ({
    id: `channel-${id}`,
    title: t('action.editNamed', { name, id }),
    group,
    icon: Cable,
    run: () => edit(id),
  }))
  return [...actions, ...rows]
}

interface NoChannelsProps {
  readonly list: ChannelList
  readonly filter: ChannelFilter
  readonly onShow: (filter: ChannelFilter) => void
}

/** No rows: because there are none yet, because nothing matches, or because the list ended on the page before. */
function NoChannels({ list, filter, onShow }: NoChannelsProps) {
  const { t } = useTranslation('channels')
  if (list.page > 1) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('empty.end')}
        action={
          <Button onClick={() => onShow({ ...filter, page: undefined })}>{t('empty.firstPage')}</Button>
        }
      />
    )
  }
  if (list.searching) {
    return (
      <EmptyState
        icon={SearchX}
        title={t('empty.noMatch')}
        action={<Button onClick={() => onShow({})}>{t('empty.clearFilters')}</Button>}
      >
        {t('empty.noMatchHint')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={Cable}
      title={t('empty.title')}
      action={
        <Link to="/channel/add" className={buttonClass('primary')}>
          <Plus className="size-3.5" aria-hidden />
          {t('empty.action')}
        </Link>
      }
    >
      {t('empty.description')}
    </EmptyState>
  )
}
