import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Hotkey, useHotkeys } from '../../lib/browser/hotkeys.ts'
import { useNav } from './nav.ts'

/** `g` and a letter for each page of the menu. Visitors have no menu, and need not wait for what is in it. */
export function PageHotkeys() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const pages: readonly Hotkey[] = useNav().flatMap((group) =>
    group.entries.map((entry) => ({
      keys: `g ${entry.letter}`,
      label: t(`nav.${entry.label}`),
      group: 'go' as const,
      run: () => void navigate({ to: entry.to, ...(entry.search && { search: entry.search }) }),
    })),
  )
  useHotkeys(pages)
  return null
}
