import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { CodeBlock } from '../../../components/ui/copy.tsx'
import { Dialog } from '../../../components/ui/overlay/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'

interface SecretDialogProps {
  readonly title: string
  readonly token: string
  readonly onClose: () => void
}

/** A new access token, which is shown this once. */
export function SecretDialog({ title, token, onClose }: SecretDialogProps) {
  const { t } = useTranslation('personal')
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('action.done')}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{t('accessToken.once')}</Notice>
        <CodeBlock code={token} label={t('accessToken.copy')} />
      </div>
    </Dialog>
  )
}
