import type { UserAction } from '@tollgate/api'
import {
  ChevronsDown,
  ChevronsUp,
  type LucideIcon,
  Power,
  PowerOff,
  UserRoundPen,
  UserRoundX,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type BulkAction, useBulkAction } from '../../components/list/index.ts'
import { isRoot, useUser } from '../../lib/session/session.ts'
import { manageUsers, userLists } from './api.ts'

const icons = {
  enable: Power,
  disable: PowerOff,
  promote: ChevronsUp,
  demote: ChevronsDown,
  delete: UserRoundX,
} as const satisfies Readonly<Record<UserAction, LucideIcon>>

/**
 * Actions on several users; the outcome names the users that an action may not change.
 * @param onChange opens the dialog that changes balance, group or limits
 */
export function useBulkActions(onChange: (ids: readonly number[]) => void): readonly BulkAction[] {
  const { t } = useTranslation('users')
  const root = isRoot(useUser())
  const bulkAction = useBulkAction<UserAction>({
    text: (name, count) => t(`bulk.${name}`, { count }),
    lists: userLists,
  })
  const action = (id: UserAction) => bulkAction({ id, icon: icons[id], run: (ids) => manageUsers(id, ids) })
  const withQuestion = (id: 'promote' | 'demote' | 'delete', danger: boolean): BulkAction => ({
    ...action(id),
    danger,
    question: (count) => ({
      title: t(`bulk.${id}Title`, { count }),
      description: t(`question.${id}.description`),
      confirmLabel: t(`question.${id}.confirm`),
      danger,
    }),
  })
  const change: BulkAction = {
    id: 'change',
    label: t('many.open'),
    icon: UserRoundPen,
    run: async (ids) => void onChange(ids),
    done: String,
    failed: String,
  }
  return [
    change,
    action('enable'),
    action('disable'),
    ...(root ? [withQuestion('promote', false), withQuestion('demote', false)] : []),
    withQuestion('delete', true),
  ]
}
