import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { LogEntry } from '@tollgate/api'
import { CalendarDays, FilterX, Play, RotateCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable, useTableView } from '../../components/data-table/index.ts'
import { Page, PageHeader } from '../../components/ui/page.tsx'
import { Pagination } from '../../components/ui/pagination.tsx'
import { type Command, useCommands } from '../../lib/commands.ts'
import { useHotkey } from '../../lib/hotkeys.ts'
import { useLogColumns } from './columns.tsx'
import { LogFilters } from './filters/log-filters.tsx'
import type { LogFilter } from './log-filter.ts'
import { toRow } from './log-row.ts'
import { NoRows } from './no-rows.tsx'
import { StatStrip } from './stat-strip.tsx'
import { useLogList } from './use-log-list.ts'

const route = getRouteApi('/console/log')
const EntrySheet = lazy(() =>
  import('./entry/entry-sheet.tsx').then((module) => ({ default: module.EntrySheet })),
)

/** Every call with what it cost and why. */
export function LogsPage(): ReactNode {
  const { t } = useTranslation('logs')
  const { page = 1, entry, at, ...filter } = route.useSearch()
  const navigate = useNavigate({ from: '/log' })
  const [following, setFollowing] = useState(false)
  const list = useLogList(filter, page, following)
  const rows = useMemo(() => list.rows?.map(toRow), [list.rows])
  const view = useTableView('logs', useLogColumns(list.admin))

  /** Another slice of the log, from its first page. */
  const show = (next: LogFilter) => void navigate({ search: next })
  const turnTo = (next: number) =>
    void navigate({ search: { ...filter, page: next === 1 ? undefined : next } })
  const open = ({ id, created_at }: Pick<LogEntry, 'id' | 'created_at'>) =>
    void navigate({
      search: (search) => ({ ...search, entry: String(id), at: created_at }),
      replace: entry !== undefined,
    })

  useHotkey('r', t('refresh'), list.refresh)
  useCommands(
    useLogCommands({ show, refresh: list.refresh, follow: () => setFollowing(!following), following }),
  )

  return (
    <Page layout="fill">
      <PageHeader title={t('title')} actions={<StatStrip stat={list.stat} />} />
      <LogFilters
        filter={filter}
        onChange={(part) => show({ ...filter, ...part })}
        onOpen={(requestId) =>
          void navigate({ search: (search) => ({ ...search, entry: requestId, at: undefined }) })
        }
        admin={list.admin}
        view={view}
        fetching={list.fetching}
        onRefresh={list.refresh}
        following={following}
        onFollow={setFollowing}
      />
      <DataTable
        view={view}
        rows={rows}
        rowId={(row) => String(row.entry.id)}
        label={t('title')}
        error={list.error}
        onRetry={list.refresh}
        refreshing={list.refreshing}
        empty={<NoRows filter={filter} page={page} onShow={show} />}
        onRowClick={(row) => open(row.entry)}
      />
      {((list.total ?? 0) > 0 || page > 1) && (
        <Pagination
          page={page}
          pageSize={list.pageSize}
          total={list.total}
          count={list.rows?.length ?? 0}
          onPageChange={turnTo}
          onPageSizeChange={(size) => {
            list.setPageSize(size)
            turnTo(1)
          }}
        />
      )}
      {entry !== undefined && (
        <Suspense>
          <EntrySheet
            admin={list.admin}
            entry={entry}
            at={at}
            rows={list.rows}
            onOpen={open}
            onClose={() =>
              void navigate({ search: (search) => ({ ...search, entry: undefined, at: undefined }) })
            }
          />
        </Suspense>
      )}
    </Page>
  )
}

interface CommandTargets {
  readonly show: (filter: LogFilter) => void
  readonly refresh: () => void
  readonly follow: () => void
  readonly following: boolean
}

const commandRanges = ['24h', '7d', '30d'] as const

/** What the palette can do while this page is open. */
function useLogCommands({ show, refresh, follow, following }: CommandTargets): readonly Command[] {
  const { t } = useTranslation('logs')
  const group = t('title')
  return [
    { id: 'log-refresh', title: t('refresh'), group, icon: RotateCw, shortcut: 'r', run: refresh },
    {
      id: 'log-follow',
      title: t(following ? 'follow.stop' : 'follow.start'),
      group,
      icon: Play,
      run: follow,
    },
    { id: 'log-today', title: t('command.today'), group, icon: CalendarDays, run: () => show({}) },
    ...commandRanges.map((range) => ({
      id: `log-${range}`,
      title: t('command.range', { range: t(`range.${range}`) }),
      group,
      icon: CalendarDays,
      run: () => show({ range }),
    })),
    { id: 'log-clear', title: t('empty.clearFilters'), group, icon: FilterX, run: () => show({}) },
  ]
}
