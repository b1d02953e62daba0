import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { NoValue } from '../../components/ui/tag.tsx'
import { useGridBelow, usePhone } from '../../lib/browser/media-query.ts'
import { ActionTag } from './action-tag.tsx'
import { LongTextCell } from './cells.tsx'
import { type Job, submissionOf } from './job.ts'
import { useJobCards, useJobColumns } from './job-columns.tsx'
import { thumbnailOf } from './media.ts'
import { Thumbnail } from './media-view.tsx'

/** Columns of the list of drawings; the submission is for administrators alone. */
export function useDrawingColumns(admin: boolean): readonly DataColumn<Job>[] {
  const { t } = useTranslation('tasks')
  const phone = usePhone()
  const tight = useGridBelow(1360)
  const job = useJobColumns(admin)
  const cards = useJobCards(actionCell)
  return useMemo((): readonly DataColumn<Job>[] => {
    if (phone) return cards
    const submission: DataColumn<Job> = {
      id: 'submission',
      header: t('column.submission'),
      hidden: true,
      cell: (row) => 'code' in row && <SubmissionCell code={row.code} />,
    }
    return [
      ...job.start.map((column) => (column.id === 'finished' ? { ...column, hidden: tight } : column)),
      { id: 'type', header: t('column.type'), cell: actionCell },
      job.id,
      ...(admin ? [submission] : []),
      job.status,
      // The picture stands beside the prompt too.
      { id: 'image', header: t('column.image'), hidden: true, cell: imageCell },
      job.work,
      job.cost,
      {
        id: 'prompt_en',
        header: t('column.promptEn'),
        hidden: true,
        cell: (row) => 'prompt_en' in row && <LongTextCell text={row.prompt_en} />,
      },
      job.reason,
    ]
  }, [t, admin, phone, tight, job, cards])
}

function imageCell(row: Job) {
  const url = thumbnailOf(row)
  return url === '' ? <NoValue /> : <Thumbnail url={url} className="h-7 w-10" />
}

function actionCell(row: Job) {
  return <ActionTag job={row} />
}

function SubmissionCell({ code }: { readonly code: number }) {
  const { t } = useTranslation('tasks')
  const word = submissionOf(code)
  return word ? t(`submission.${word}`) : String(code)
}
