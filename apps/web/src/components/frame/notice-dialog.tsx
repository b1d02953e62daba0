import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextOrFrame } from '../operator-content/text-or-frame.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

export interface NoticeDialogProps {
  readonly text: string
  readonly onClose: () => void
}

/** Shows the operator's message to everybody. */
export function NoticeDialog({ text, onClose }: NoticeDialogProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('notice.title')}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('notice.close')}
        </Button>
      }
    >
      <TextOrFrame text={text} title={t('notice.title')} frameClass="h-[60dvh] w-full" />
    </Dialog>
  )
}
