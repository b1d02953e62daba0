import { useTranslation } from 'react-i18next'
import { Sheet } from '../../../components/ui/sheet.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import type { SettingsState } from './use-settings.ts'

export interface SettingsSheetProps {
  readonly state: SettingsState
  readonly onClose: () => void
}

/** The settings on a phone. They are kept as they are changed, so there is nothing to save. */
export function SettingsSheet({ state, onClose }: SettingsSheetProps) {
  const { t } = useTranslation('playground')
  return (
    <Sheet open onClose={onClose} title={t('settings.title')}>
      <SettingsPanel state={state} />
    </Sheet>
  )
}
