import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { CopyText } from '../../components/ui/copy.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { NoValue } from '../../components/ui/tag.tsx'
import { useGridBelow } from '../../lib/browser/media-query.ts'
import { ChannelCell, LongTextCell, MomentCell, ProgressCell, SpentCell, StatusCell } from './cells.tsx'
import { type Job, timeUnitMs, upstreamIdOf } from './job.ts'

/** What both lists show of a job, by where it stands; each list puts its own columns in between. */
export interface JobColumns {
  /** When, how far, how long and, for administrators, where. */
  readonly start: readonly DataColumn<Job>[]
  readonly id: DataColumn<Job>
  readonly status: DataColumn<Job>
  readonly reason: DataColumn<Job>
}

export function useJobColumns(admin: boolean): JobColumns {
  const { t } = useTranslation('tasks')
  // Where only what tells jobs apart has room.
  const narrow = useGridBelow(1024)
  return useMemo(() => {
    const channel: DataColumn<Job> = {
      id: 'channel',
      header: t('column.channel'),
      hidden: narrow,
      cell: (row) => <ChannelCell id={row.channel_id} />,
    }
    return {
      start: [
        {
          id: 'submitted',
          header: t('column.submitted'),
          cell: (row) => <MomentCell at={row.submit_time * timeUnitMs(row)} />,
        },
        {
          id: 'finished',
          header: t('column.finished'),
          hidden: narrow,
          cell: (row) => <MomentCell at={row.finish_time * timeUnitMs(row)} />,
        },
        {
          id: 'progress',
          header: t('column.progress'),
          cell: (row) => <ProgressCell progress={row.progress} failed={row.status === 'FAILURE'} />,
        },
        {
          id: 'spent',
          header: t('column.spent'),
          cell: (row) => (
            <SpentCell
              submitted={row.submit_time * timeUnitMs(row)}
              finished={row.finish_time * timeUnitMs(row)}
            />
          ),
        },
        ...(admin ? [channel] : []),
      ],
      id: {
        id: 'id',
        header: t('column.id'),
        cell: (row) =>
          upstreamIdOf(row) === '' ? (
            <NoValue />
          ) : (
            <CopyText value={upstreamIdOf(row)} className="max-w-40" />
          ),
      },
      status: {
        id: 'status',
        header: t('column.status'),
        cell: (row) => <StatusCell status={row.status} />,
      },
      reason: {
        id: 'reason',
        header: t('column.reason'),
        grow: true,
        cell: (row) => <LongTextCell text={row.fail_reason} bad />,
      },
    }
  }, [t, admin, narrow])
}

/** A card of two lines: what and when, and how far it is or why it failed. */
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
        id: 'progress',
        header: t('column.progress'),
        card: 'line',
        onCard: (row) => row.fail_reason === '' && row.status !== 'SUCCESS',
        cell: (row) => <ProgressCell progress={row.progress} failed={row.status === 'FAILURE'} />,
      },
      {
        id: 'reason',
        header: t('column.reason'),
        card: 'line',
        onCard: (row) => row.fail_reason !== '',
        cell: (row) => <LongTextCell text={row.fail_reason} bad />,
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
