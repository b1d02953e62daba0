import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'

export interface DetailsDialogProps {
  readonly title: string
  readonly row: object
  readonly onClose: () => void
}

/** A row as the server answered it. */
export function DetailsDialog({ title, row, onClose }: DetailsDialogProps) {
  const { t } = useTranslation('tasks')
  return (
    <Dialog open onClose={onClose} size="lg" title={title}>
      <CodeBlock code={JSON.stringify(row, null, 2)} label={t('details.copy')} />
    </Dialog>
  )
}
