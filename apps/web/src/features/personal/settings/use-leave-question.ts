import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { confirm } from '../../../lib/confirm.ts'
import { currentUser } from '../../../lib/session.ts'

/** Asks before the page is left with something typed and not saved. Whoever logs out, or is logged out, is not asked. */
export function useLeaveQuestion(dirty: boolean): void {
  const { t } = useTranslation()
  const losesWork = () => dirty && currentUser() !== undefined
  useBlocker({
    enableBeforeUnload: losesWork,
    shouldBlockFn: async ({ current, next }) => {
      if (!losesWork() || current.pathname === next.pathname) return false
      const leaves = await confirm({
        title: t('unsaved.title'),
        description: t('unsaved.description'),
        confirmLabel: t('unsaved.discard'),
        danger: true,
      })
      return !leaves
    },
  })
}
