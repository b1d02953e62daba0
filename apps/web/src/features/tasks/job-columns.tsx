import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DataColumn, withHeaders } from '../../components/data-table/index.ts'
import { CopyText } from '../../components/ui/copy.tsx'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import {
  ChannelCell,
  MomentCell,
  ProgressCell,
  ReasonCell,
  SpentCell,
  StatusCell,
  WorkCell,
} from './cells.tsx'
import { type Job, promptOf, timeUnitMs, upstreamIdOf } from './job.ts'
import { thumbnailOf, titleOf } from './media.ts'

/** Columns of a job in both lists, by position; each list puts its own columns in between. */
export interface JobColumns {
  /** Columns of time, progress, duration and, for administrators, channel. */
  readonly start: readonly DataColumn<Job>[]
  readonly id: DataColumn<Job>
  readonly status: DataColumn<Job>
  readonly cost: DataColumn<Job>
  readonly reason: DataColumn<Job>
  /** Column of picture, title and prompt. */
  readonly work: DataColumn<Job>
}

export function useJobColumns(admin: boolean): JobColumns {
  const { t } = useTranslation('tasks')
  const tight = useGridBelow(1280)
  // Where only what tells jobs apart has room.
  const narrow = useGridBelow(1024)
  return useMemo(() => {
    const columns: readonly DataColumn<Job>[] = withHeaders(
      [
        { id: 'submitted', cell: (row) => <MomentCell at={row.submit_time * timeUnitMs(row)} /> },
        {
          id: 'finished',
          hidden: tight,
          cell: (row) => <MomentCell at={row.finish_time * timeUnitMs(row)} />,
        },
        { id: 'progress', cell: progressCell },
        { id: 'spent', hidden: narrow, cell: spentCell },
        { id: 'user', hidden: narrow, cell: userCell },
        { id: 'channel', hidden: tight, cell: (row) => <ChannelCell id={row.channel_id} /> },
      ],
      (id) => t(`column.${id}`),
    )
    return {
      start: columns.filter(({ id }) => admin || !forAdmins.has(id)),
      id: { id: 'id', header: t('column.id'), hidden: tight, cell: idCell },
      status: {
        id: 'status',
        header: t('column.status'),
        cell: (row) => <StatusCell status={row.status} />,
      },
      cost: { id: 'cost', header: t('column.cost'), numeric: true, cell: costCell },
      work: { id: 'prompt', header: t('column.prompt'), grow: true, cell: workCell },
      reason: { id: 'reason', header: t('column.reason'), grow: true, cell: reasonCell },
    }
  }, [t, admin, tight, narrow])
}

const forAdmins: ReadonlySet<string> = new Set(['user', 'channel'])

function userCell({ username, user_id }: Job) {
  return (
    <span className="block max-w-32 truncate" title={`${username} #${user_id}`}>
      {username || `#${user_id}`}
    </span>
  )
}

/** Shows the cost of a job; a failed one costs nothing. */
function costCell({ quota, status }: Job) {
  return status === 'FAILURE' ? <NoValue /> : <Money quota={quota} single />
}

function progressCell({ progress, status }: Job) {
  return <ProgressCell progress={progress} failed={status === 'FAILURE'} />
}

function spentCell(row: Job) {
  const unit = timeUnitMs(row)
  return <SpentCell submitted={row.submit_time * unit} finished={row.finish_time * unit} />
}

function workCell(row: Job) {
  return <WorkCell job={row} />
}

function idCell(row: Job) {
  const id = upstreamIdOf(row)
  return id === '' ? <NoValue /> : <CopyText value={id} className="max-w-40" />
}

function reasonCell({ fail_reason: reason }: Job) {
  return <ReasonCell text={reason} />
}

/** A card: what and when, what it is about, and how far it is or why it failed. */
export function useJobCards(title: (row: Job) => ReactNode): readonly DataColumn<Job>[] {
  const { t } = useTranslation('tasks')
  return useMemo(
    () => [
      { id: 'type', header: t('column.type'), card: 'title', cell: title },
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (row) => <CornerCell row={row} />,
      },
      {
        id: 'prompt',
        header: t('column.prompt'),
        card: 'line',
        onCard: (row) => promptOf(row) !== '' || titleOf(row) !== '' || thumbnailOf(row) !== '',
        cell: workCell,
      },
      {
        id: 'progress',
        header: t('column.progress'),
        card: 'line',
        onCard: (row) => row.fail_reason === '' && row.status !== 'SUCCESS',
        cell: progressCell,
      },
      {
        id: 'reason',
        header: t('column.reason'),
        card: 'line',
        onCard: (row) => row.fail_reason !== '',
        cell: reasonCell,
      },
    ],
    [t, title],
  )
}

function CornerCell({ row }: { readonly row: Job }) {
  return (
    <span className="flex items-center gap-2">
      <RelativeTime
        at={Math.floor((row.submit_time * timeUnitMs(row)) / 1000)}
        className="figures text-muted text-xs"
      />
      <StatusCell status={row.status} />
    </span>
  )
}
