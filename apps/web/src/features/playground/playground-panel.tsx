import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Sheet } from '../../components/ui/overlay/sheet.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { ConversationList } from './library/conversation-list.tsx'
import type { Library } from './library/library.ts'
import { SettingsPanel } from './settings-panel.tsx'
import type { SettingsState } from './use-playground.ts'

interface PlaygroundPanelProps {
  readonly state: SettingsState
  readonly library: Library
  /** A conversation was chosen. */
  readonly onOpened?: () => void
}

type Part = 'settings' | 'conversations'

/** Beside the chat: the settings of the call, and earlier conversations. */
export function PlaygroundPanel({ state, library, onOpened }: PlaygroundPanelProps): ReactNode {
  const { t } = useTranslation('playground')
  const [part, setPart] = useState<Part>('settings')
  return (
    <Tabs
      aria-label={t('panel.title')}
      value={part}
      onValueChange={setPart}
      tabs={[
        { value: 'settings', label: t('settings.title'), content: <SettingsPanel state={state} /> },
        {
          value: 'conversations',
          label: t('library.title'),
          content: <ConversationList library={library} {...(onOpened && { onOpened })} />,
        },
      ]}
    />
  )
}

interface PanelSheetProps extends Omit<PlaygroundPanelProps, 'onOpened'> {
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
