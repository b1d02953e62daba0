import { Image } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { Button } from '../../components/ui/button.tsx'
import { NoValue, Tag } from '../../components/ui/tag.tsx'
import { useGridBelow, usePhone } from '../../lib/browser/media-query.ts'
import { LongTextCell } from './cells.tsx'
import { drawingActions, type Job, known, submissionOf } from './job.ts'
import { useJobCards, useJobColumns } from './job-columns.tsx'

/** Columns of the list of drawings; the submission is for administrators alone. */
export function useDrawingColumns(
  admin: boolean,
  onImage: (drawing: Job) => void,
): readonly DataColumn<Job>[] {
  const { t } = useTranslation('tasks')
  const phone = usePhone()
  const tight = useGridBelow(1360)
  const job = useJobColumns(admin)
  const cards = useJobCards(actionCell)
  return useMemo((): readonly DataColumn<Job>[] => {
    const image: DataColumn<Job> = {
      id: 'image',
      header: t('column.image'),
      card: 'line',
      onCard: hasImage,
      cell: (row) => <ImageCell row={row} onImage={onImage} />,
    }
    if (phone) return [...cards, image]
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
      image,
      {
        id: 'prompt',
        header: t('column.prompt'),
        hidden: tight,
        cell: (row) => 'prompt' in row && <LongTextCell text={row.prompt} />,
      },
      {
        id: 'prompt_en',
        header: t('column.promptEn'),
        hidden: true,
        cell: (row) => 'prompt_en' in row && <LongTextCell text={row.prompt_en} />,
      },
      job.reason,
    ]
  }, [t, admin, phone, tight, job, cards, onImage])
}

function hasImage(row: Job): boolean {
  return 'image_url' in row && row.image_url !== ''
}

interface ImageCellProps {
  readonly row: Job
  readonly onImage: (drawing: Job) => void
}

function ImageCell({ row, onImage }: ImageCellProps) {
  const { t } = useTranslation('tasks')
  if (!hasImage(row)) return <NoValue />
  return (
    <Button size="sm" icon={Image} onClick={() => onImage(row)}>
      {t('image.show')}
    </Button>
  )
}

function actionCell({ action }: Job) {
  return <ActionCell action={action} />
}

function ActionCell({ action }: { readonly action: string }) {
  const { t } = useTranslation('tasks')
  const word = known(drawingActions, action)
  return <Tag>{word ? t(`drawing.${word}`) : action}</Tag>
}

function SubmissionCell({ code }: { readonly code: number }) {
  const { t } = useTranslation('tasks')
  const word = submissionOf(code)
  return word ? t(`submission.${word}`) : String(code)
}
