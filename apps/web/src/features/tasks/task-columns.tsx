import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { usePhone } from '../../lib/browser/media-query.ts'
import { ActionTag } from './action-tag.tsx'
import { type Job, known, taskPlatforms } from './job.ts'
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
      job.work,
      job.cost,
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

function actionCell(row: Job) {
  return <ActionTag job={row} />
}
