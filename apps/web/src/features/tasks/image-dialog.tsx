import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { buttonClass } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'

export interface ImageDialogProps {
  readonly url: string
  /** What was asked for: the image in words. */
  readonly prompt: string
  readonly onClose: () => void
}

/** A drawing, as large as the window allows. */
export function ImageDialog({ url, prompt, onClose }: ImageDialogProps) {
  const { t } = useTranslation('tasks')
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
      {failed ? (
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
