import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'
import type { Job } from './job.ts'

export interface ImageDialogProps {
  /** `null` when the address names none that can be seen. */
  readonly drawing: Job | null
  readonly onClose: () => void
}

const noImage = { image_url: '', prompt: '' }

/** A drawing, as large as the window allows. */
export function ImageDialog({ drawing, onClose }: ImageDialogProps) {
  const { t } = useTranslation('tasks')
  // What was asked for is the image in words.
  const { image_url: url, prompt } = drawing !== null && 'image_url' in drawing ? drawing : noImage
  const [failed, setFailed] = useState(false)
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title={t('image.title')}
      description={prompt}
      footer={
        /^https?:\/\/|^\//.test(url) && (
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
            <ExternalLink className="size-3.5" aria-hidden />
            {t('image.open')}
          </a>
        )
      }
    >
      {failed || url === '' ? (
        <Notice tone="warn">{t('image.failed')}</Notice>
      ) : (
        <img
          src={url}
          alt={prompt || t('image.title')}
          referrerPolicy="no-referrer"
          onError={() => setFailed(true)}
          className="mx-auto max-h-[56dvh] max-w-full rounded object-contain"
        />
      )}
    </Dialog>
  )
}

export interface DetailsDialogProps {
  readonly title: string
  /** `null` when the address names none that can be seen. */
  readonly row: object | null
  readonly onClose: () => void
}

/** A row as the server answered it. */
export function DetailsDialog({ title, row, onClose }: DetailsDialogProps) {
  const { t } = useTranslation('tasks')
  return (
    <Dialog open onClose={onClose} size="lg" title={title}>
      {row === null ? (
        <Notice tone="warn">{t('details.missing')}</Notice>
      ) : (
        <CodeBlock code={JSON.stringify(row, null, 2)} label={t('details.copy')} />
      )}
    </Dialog>
  )
}
