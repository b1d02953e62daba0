import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { confirm } from '../confirm.ts'
import { useReloadQuestion } from './reload-question.ts'
import { currentUser } from './session.ts'

/** Asks before the person leaves a page with unsaved changes. A logout does not ask. */
export function useConfirmLeave(dirty: boolean): void {
  const { t } = useTranslation()
  const losesWork = () => dirty && currentUser() !== undefined
  useReloadQuestion(losesWork)
  useBlocker({
    enableBeforeUnload: false,
    shouldBlockFn: async ({ current, next }) =>
      losesWork() &&
      current.pathname !== next.pathname &&
      !(await confirm({
        title: t('unsaved.title'),
        description: t('unsaved.description'),
        confirmLabel: t('unsaved.discard'),
        danger: true,
      })),
  })
}
