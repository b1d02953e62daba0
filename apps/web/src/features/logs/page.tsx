import type { QueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { LogEntry } from '@tollgate/api'
import { CalendarDays, Download, FilterX, Pause, Play, RotateCw } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListPage } from '../../components/list/index.ts'
import { TimeFilter } from '../../components/list/time-filter.tsx'
import { Button, IconButton } from '../../components/ui/button.tsx'
import { useHotkey } from '../../lib/browser/hotkeys.ts'
import { usePhone } from '../../lib/browser/media-query.ts'
import { type Command, useCommands } from '../../lib/commands.ts'
import { cx } from '../../lib/cx.ts'
import { shortRanges } from '../../lib/format/range-times.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { useLogColumns } from './columns.tsx'
import { ExportNotice } from './export/export-notice.tsx'
import { useLogExport } from './export/use-log-export.ts'
import { isRequestId, type LogFilter, modelPattern, patternText } from './log-filter.ts'
import type { LogRow } from './log-row.ts'
import { NoRows } from './no-rows.tsx'
import { LogOverview } from './overview.tsx'
import type { LogsSearch } from './search.ts'
import { StatStrip } from './stat-strip.tsx'
import { TopNotice } from './top-notice.tsx'
import { useLogFilters } from './use-log-filters.ts'
import { type LogList, preloadLogList, useLogList } from './use-log-list.ts'

const route = getRouteApi('/console/log')
const EntrySheet = lazyComponent(() => import('./entry/entry-sheet.tsx'), 'EntrySheet')

/** Returns the rows that an address selects. */
function rowsOf({ page, sort, entry: _entry, at: _at, why: _why, ...filter }: LogsSearch) {
  return { page, sort, filter }
}

export function preload(client: QueryClient, search: LogsSearch): void {
  const { page, sort, filter } = rowsOf(search)
  preloadLogList(client, filter, page, sort)
}

/** Every call with what it cost and why. */
export function LogsPage(): ReactNode {
  const { t } = useTranslation('logs')
  const search = route.useSearch()
  const { why = false } = search
  const { page, sort, filter } = rowsOf(search)
  const navigate = useNavigate({ from: '/log' })
  const [following, setFollowing] = useState(false)
  const list = useLogList(filter, page, following, sort)
  const phone = usePhone()
  const exporting = useLogExport({ admin: list.admin, filter })
  const open = useOpenEntry()
  const show = (next: LogsSearch) => void navigate({ search: next })
  const exportButton = (
    <IconButton
      icon={Download}
      label={t('export.start')}
      disabled={exporting.rows !== undefined || list.total === 0}
      onClick={exporting.start}
    />
  )
  useHotkey('r', t('refresh'), list.refresh)
  useCommands(
    useLogCommands({
      show,
      refresh: list.refresh,
      follow: () => setFollowing(!following),
      following,
      exportRows: exporting.start,
    }),
  )

  return (
    <ListPage<LogRow, LogsSearch>
      name="logs"
      title={t('title')}
      actions={
        <>
          <StatStrip stat={list.stat} type={filter.type} />
          {phone && exportButton}
        </>
      }
      notice={
        <>
          <ExportNotice control={exporting} total={list.total ?? 0} />
          {sort && <TopNotice admin={list.admin} filter={filter} sort={sort} />}
        </>
      }
      columns={useLogColumns(list.admin)}
      list={list}
      search={{ ...filter, page, sort }}
      onSearch={show}
      searchBox={{
        placeholder: t('filter.search'),
        value: patternText(filter.model) ?? '',
        toSearch: (text) =>
          isRequestId(text) ? { entry: text, model: filter.model } : { model: modelPattern(text) },
      }}
      filters={useLogFilters(list.admin, filter)}
      moreFilters={
        <TimeFilter
          times={filter}
          ranges={shortRanges}
          onChange={(times) => show({ ...filter, sort, ...times })}
        />
      }
      overview={
        <LogOverview
          admin={list.admin}
          filter={filter}
          histogram={list.histogram}
          onShow={show}
          why={why}
          onWhy={(open) =>
            void navigate({ search: { ...filter, page, why: open || undefined }, replace: true })
          }
          onZoom={(times, errors) =>
            show({ ...filter, range: 'custom', ...times, why: errors > 0 || undefined })
          }
        />
      }
      viewControls={
        <>
          <FollowButton following={following} onFollow={setFollowing} />
          {exportButton}
        </>
      }
      empty={{ hint: t('empty.noMatchHint'), first: <NoRows filter={filter} onShow={show} /> }}
      onOpen={(row) => open(row.entry)}
      onKey={({ id }) => show({ ...filter, key: id, token: undefined })}
    >
      <OpenEntry list={list} />
    </ListPage>
  )
}

/** Shows a row in the sheet; from one row to the next leaves no step to go back to. */
function useOpenEntry(): (entry: Pick<LogEntry, 'id' | 'created_at'>) => void {
  const { entry } = route.useSearch()
  const navigate = useNavigate({ from: '/log' })
  return ({ id, created_at }) =>
    void navigate({
      search: (search) => ({ ...search, entry: String(id), at: created_at }),
      replace: entry !== undefined,
    })
}

/** The row that the address names. */
function OpenEntry({ list: { admin, rows } }: { readonly list: LogList }) {
  const { entry, at } = route.useSearch()
  const navigate = useNavigate({ from: '/log' })
  const open = useOpenEntry()
  const close = () => void navigate({ search: (search) => ({ ...search, entry: undefined, at: undefined }) })
  if (entry === undefined) return null
  return (
    <Suspense>
      <EntrySheet admin={admin} entry={entry} at={at} rows={rows} onOpen={open} onClose={close} />
    </Suspense>
  )
}

interface FollowButtonProps {
  readonly following: boolean
  readonly onFollow: (on: boolean) => void
}

/** Reads the log again and again while it is looked at. */
function FollowButton({ following, onFollow }: FollowButtonProps) {
  const { t } = useTranslation('logs')
  return (
    <Button
      variant="ghost"
      icon={following ? Pause : Play}
      aria-pressed={following}
      title={t('follow.hint')}
      onClick={() => onFollow(!following)}
      className={cx(following && 'bg-accent-soft! text-accent-text!')}
    >
      {t('follow.label')}
    </Button>
  )
}

interface CommandTargets {
  readonly show: (filter: LogFilter) => void
  readonly refresh: () => void
  readonly follow: () => void
  readonly following: boolean
  readonly exportRows: () => void
}

const commandRanges = ['15m', '1h', '24h', '7d', '30d'] as const

/** Returns the commands of the palette while this page is open. */
function useLogCommands({
  show,
  refresh,
  follow,
  following,
  exportRows,
}: CommandTargets): readonly Command[] {
  const { t } = useTranslation(['logs', 'common'])
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
      title: t('command.range', { range: t(`common:time.range.${range}`) }),
      group,
      icon: CalendarDays,
      run: () => show({ range }),
    })),
    { id: 'log-export', title: t('export.start'), group, icon: Download, run: exportRows },
    { id: 'log-clear', title: t('command.clear'), group, icon: FilterX, run: () => show({}) },
  ]
}
