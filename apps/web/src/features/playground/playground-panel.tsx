import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Tabs } from '../../components/ui/tabs.tsx'
import { ConversationList } from './library/conversation-list.tsx'
import type { Library } from './library/library.ts'
import { SettingsPanel } from './settings/settings-panel.tsx'
import type { SettingsState } from './settings/use-settings.ts'

export interface PlaygroundPanelProps {
  readonly state: SettingsState
  readonly library: Library
  /** A conversation was chosen. */
  readonly onOpened?: () => void
}

type Part = 'settings' | 'conversations'

/** Beside the chat: what decides the answers, and what was talked about before. */
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
