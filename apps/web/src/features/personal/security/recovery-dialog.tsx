import { useTranslation } from 'react-i18next'
import { Button } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { Notice } from '../../../components/ui/tag.tsx'

export interface RecoveryDialogProps {
  readonly codes: readonly string[]
  readonly onClose: () => void
}

/** Codes for the day the authenticator is lost. Seen once: the server keeps their hashes. */
export function RecoveryDialog({ codes, onClose }: RecoveryDialogProps) {
  const { t } = useTranslation('personal')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('recovery.title')}
      footer={
        <>
          <CopyButton value={codes.join('\n')} label={t('recovery.copy')} withText size="md" />
          <Button variant="primary" onClick={onClose}>
            {t('recovery.stored')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Notice tone="warn">{t('recovery.once')}</Notice>
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 rounded border bg-sunken p-3 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
