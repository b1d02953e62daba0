import { useTranslation } from 'react-i18next'
import { Sheet } from '../../components/ui/sheet.tsx'
import { PlaygroundPanel, type PlaygroundPanelProps } from './playground-panel.tsx'

export interface PanelSheetProps extends Omit<PlaygroundPanelProps, 'onOpened'> {
  readonly onClose: () => void
}

/** The panel on a phone. Everything in it is kept as it is changed, so there is nothing to save. */
export function PanelSheet({ onClose, ...panel }: PanelSheetProps) {
  const { t } = useTranslation('playground')
  return (
    <Sheet open onClose={onClose} title={t('panel.title')}>
      <PlaygroundPanel {...panel} onOpened={onClose} />
    </Sheet>
  )
}
