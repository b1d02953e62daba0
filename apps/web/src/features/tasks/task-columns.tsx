import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { Tag } from '../../components/ui/tag.tsx'
import { usePhone } from '../../lib/browser/media-query.ts'
import { type Job, known, taskActions, taskPlatforms } from './job.ts'
import { useJobCards, useJobColumns } from './job-columns.tsx'

/** Columns of the list of tasks. */
export function useTaskColumns(admin: boolean): readonly DataColumn<Job>[] {
  const { t } = useTranslation('tasks')
  const phone = usePhone()
  const job = useJobColumns(admin)
  const cards = useJobCards(actionCell)
  const grid = useMemo(
    (): readonly DataColumn<Job>[] => [
      ...job.start,
      {
        id: 'platform',
        header: t('column.platform'),
        cell: (row) => 'platform' in row && <PlatformCell platform={row.platform} />,
      },
      { id: 'type', header: t('column.type'), cell: actionCell },
      job.id,
      job.status,
      job.reason,
    ],
    [t, job],
  )
  return phone ? cards : grid
}

function PlatformCell({ platform }: { readonly platform: string }) {
  const { t } = useTranslation('tasks')
  const word = known(taskPlatforms, platform)
  return word ? t(`platform.${word}`) : platform
}

function actionCell({ action }: Job) {
  return <ActionCell action={action} />
}

function ActionCell({ action }: { readonly action: string }) {
  const { t } = useTranslation('tasks')
  const word = known(taskActions, action)
  return <Tag>{word ? t(`task.${word}`) : action}</Tag>
}
