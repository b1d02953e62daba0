import type { Drawing } from '@tollgate/api'
import { Image } from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataColumn } from '../../components/data-table/index.ts'
import { Button } from '../../components/ui/button.tsx'
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
import { drawingActions, known, submissionOf } from './task-state.ts'

/** Columns of the list of drawings; channel and submission are for administrators alone. */
export function useDrawingColumns(
  admin: boolean,
  onImage: (drawing: Drawing) => void,
): readonly DataColumn<Drawing>[] {
  const { t } = useTranslation('tasks')
  return useMemo(() => {
    const onlyAdmin = (column: DataColumn<Drawing>) => (admin ? [column] : [])
    return [
      {
        id: 'submitted',
        header: t('column.submitted'),
        card: 'none',
        cell: (row) => <MomentCell at={row.submit_time} />,
      },
      {
        id: 'finished',
        header: t('column.finished'),
        card: 'none',
        cell: (row) => <MomentCell at={row.finish_time} />,
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
        cell: (row) => <SpentCell submitted={row.submit_time} finished={row.finish_time} />,
      },
      ...onlyAdmin({
        id: 'channel',
        header: t('column.channel'),
        card: 'none',
        cell: (row) => <ChannelCell id={row.channel_id} />,
      }),
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
        cell: (row) => (row.mj_id === '' ? <Nothing /> : <CopyText value={row.mj_id} className="max-w-40" />),
      },
      ...onlyAdmin({
        id: 'submission',
        header: t('column.submission'),
        hidden: true,
        card: 'none',
        cell: (row) => <SubmissionCell code={row.code} />,
      }),
      {
        id: 'status',
        header: t('column.status'),
        card: 'corner',
        cell: (row) => <StatusCell status={row.status} />,
      },
      {
        id: 'image',
        header: t('column.image'),
        card: 'line',
        cell: (row) =>
          row.image_url === '' ? (
            <Nothing />
          ) : (
            <Button size="sm" icon={Image} onClick={() => onImage(row)}>
              {t('image.show')}
            </Button>
          ),
      },
      {
        id: 'prompt',
        header: t('column.prompt'),
        card: 'none',
        cell: (row) => <LongTextCell text={row.prompt} />,
      },
      {
        id: 'prompt_en',
        header: t('column.promptEn'),
        hidden: true,
        card: 'none',
        cell: (row) => <LongTextCell text={row.prompt_en} />,
      },
      {
        id: 'reason',
        header: t('column.reason'),
        card: 'none',
        cell: (row) => <LongTextCell text={row.fail_reason} bad />,
      },
    ]
  }, [t, admin, onImage])
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
