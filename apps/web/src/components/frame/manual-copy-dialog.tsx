import { useTranslation } from 'react-i18next'
import { useManualCopy } from '../../lib/copy.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Textarea } from '../ui/input.tsx'

/** Shown when the browser allows no copying: the text, to be selected and copied by hand. */
export function ManualCopyDialog() {
  const { t } = useTranslation()
  const { text, close } = useManualCopy()
  return (
    <Dialog open onClose={close} title={t('copy.manualTitle')} description={t('copy.manual')}>
      <Textarea
        mono
        readOnly
        value={text ?? ''}
        aria-label={t('copy.manualTitle')}
        onFocus={(event) => event.target.select()}
        autoFocus
      />
    </Dialog>
  )
}
