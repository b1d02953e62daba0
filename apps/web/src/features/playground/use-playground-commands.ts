import { Code, Columns2, Eraser, MessageSquarePlus, SlidersHorizontal, Square } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCommands } from '../../lib/commands.ts'
import { useHotkeys } from '../../lib/hotkeys.ts'

export interface PlaygroundCommands {
  readonly startNew: () => void
  readonly write: () => void
  readonly stop: () => void
  readonly clearContext: () => void
  readonly copyCurl: () => void
  readonly toggleCompare: () => void
  readonly togglePanel: () => void
}

/** What the palette and the keyboard can do while this page is open. */
export function usePlaygroundCommands(run: PlaygroundCommands): void {
  const { t } = useTranslation('playground')
  const group = t('title')
  useCommands([
    {
      id: 'pg-new',
      title: t('startAnew'),
      group,
      icon: MessageSquarePlus,
      shortcut: 'c',
      run: run.startNew,
    },
    { id: 'pg-clear', title: t('clearContext'), group, icon: Eraser, run: run.clearContext },
    { id: 'pg-stop', title: t('stopAnswer'), group, icon: Square, run: run.stop },
    { id: 'pg-curl', title: t('code.curl'), group, icon: Code, run: run.copyCurl },
    { id: 'pg-compare', title: t('compare.toggle'), group, icon: Columns2, run: run.toggleCompare },
    { id: 'pg-panel', title: t('panel.toggle'), group, icon: SlidersHorizontal, run: run.togglePanel },
  ])
  useHotkeys([
    { keys: 'c', label: t('startAnew'), group: 'page', run: run.startNew },
    { keys: '/', label: t('write'), group: 'page', run: run.write },
  ])
}
