import { Download } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../components/ui/button.tsx'
import { CopyButton } from '../../components/ui/copy.tsx'
import { Dialog } from '../../components/ui/overlay/dialog.tsx'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { saveTextFile } from '../../lib/browser/save-file.ts'
import { quotaToCurrency } from '../../lib/format/format.ts'

export interface CreatedCodes {
  readonly name: string
  /** Quota of each. */
  readonly quota: number
  readonly keys: readonly string[]
}

interface CreatedDialogProps {
  readonly created: CreatedCodes
  readonly onClose: () => void
}

/** New codes, to be copied or kept as a text file named after them. */
export function CreatedDialog({ created, onClose }: CreatedDialogProps) {
  const { t } = useTranslation('redemptions')
  const display = useMoneyDisplay()
  const download = useRef<HTMLButtonElement>(null)
  const { name, quota, keys } = created
  const text = keys.join('\n')
  const file = `${name}.txt`
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('created.title', { count: keys.length })}
      description={t('created.description', { name, amount: quotaToCurrency(quota, display) })}
      initialFocus={() => download.current}
      footer={
        <>
          <Button onClick={onClose}>{t('created.done')}</Button>
          <CopyButton withText size="md" value={text} label={t('created.copy', { count: keys.length })} />
          <Button ref={download} variant="primary" icon={Download} onClick={() => saveTextFile(file, text)}>
            {t('created.download')}
          </Button>
        </>
      }
    >
      <section
        className="max-h-60 overflow-auto rounded border bg-sunken p-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
        tabIndex={0}
        aria-label={t('created.codes')}
      >
        <pre className="text-xs leading-relaxed">{text}</pre>
      </section>
      <p className="mt-2 text-muted text-xs">{t('created.file', { file })}</p>
    </Dialog>
  )
}
