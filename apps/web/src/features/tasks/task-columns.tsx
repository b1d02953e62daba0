import type { TaskEntry } from '@tollgate/api'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { CopyText } from '../../components/ui/copy.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import {
  ChannelCell,
  LongTextCell,
  MomentCell,
  Nothing,
  ProgressCell,
  SpentCell,
  StatusCell,
} from './cells/cells.tsx'
import { known, taskActions, taskPlatforms } from './task-state.ts'

/** Columns of the list of tasks; the channel is for administrators alone. Times of rows are seconds. */
export function useTaskColumns(admin: boolean): readonly DataColumn<TaskEntry>[] {
  const { t } = useTranslation('tasks')
  return useMemo(() => {
    const channel: DataColumn<TaskEntry> = {
      id: 'channel',
      header: t('column.channel'),
      card: 'none',
      cell: (row) => <ChannelCell id={row.channel_id} />,
    }
    return [
      {
        id: 'submitted',
        header: t('column.submitted'),
        card: 'line',
        cell: (row) => <MomentCell at={row.submit_time * 1000} />,
      },
      {
        id: 'finished',
        header: t('column.finished'),
        card: 'none',
        cell: (row) => <MomentCell at={row.finish_time * 1000} />,
      },
      {
        id: 'progress',
        header: t('column.progress'),
        card: 'line',
        cell: (row) => <ProgressCell progress={row.progress} failed={row.status === 'FAILURE'} />,
      },
      {
        id: 'spent',
        header: t('column.spent'),
        card: 'none',
        cell: (row) => <SpentCell submitted={row.submit_time * 1000} finished={row.finish_time * 1000} />,
      },
      ...(admin ? [channel] : []),
      {
        id: 'platform',
        header: t('column.platform'),
        card: 'none',
        cell: (row) => <PlatformCell platform={row.platform} />,
      },
      {
        id: 'type',
        header: t('column.type'),
        card: 'title',
        cell: (row) => <ActionCell action={row.action} />,
      },
      {
        id: 'id',
        header: t('column.id'),
        card: 'none',
        cell: (row) =>
          row.task_id === '' ? <Nothing /> : <CopyText value={row.task_id} className="max-w-56" />,
      },
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (row) => <StatusCell status={row.status} />,
      },
      {
        id: 'reason',
        header: t('column.reason'),
        grow: true,
        card: 'none',
        cell: (row) => <LongTextCell text={row.fail_reason} bad />,
      },
    ]
  }, [t, admin])
}

function PlatformCell({ platform }: { readonly platform: string }) {
  const { t } = useTranslation('tasks')
  const word = known(taskPlatforms, platform)
  return word ? t(`platform.${word}`) : platform
}

function ActionCell({ action }: { readonly action: string }) {
  const { t } = useTranslation('tasks')
  const word = known(taskActions, action)
  return <Tag>{word ? t(`task.${word}`) : action}</Tag>
}
