import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Notice } from '../../components/ui/tag.tsx'

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
