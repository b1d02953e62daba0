import { useQueryClient } from '@tanstack/react-query'
import { type LucideIcon, Power, PowerOff, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { BulkAction } from '../../components/list/index.ts'
import { type BulkRedemptionAction, changeRedemptions, redemptionLists } from './api.ts'

const icons = {
  enable: Power,
  disable: PowerOff,
  delete: Trash2,
} as const satisfies Readonly<Record<BulkRedemptionAction, LucideIcon>>

/** What can be done to many codes at once. */
export function useBulkActions(): readonly BulkAction[] {
  const { t } = useTranslation('redemptions')
  const client = useQueryClient()
  const action = (id: BulkRedemptionAction): BulkAction => ({
    id,
    label: t(`bulk.${id}`),
    icon: icons[id],
    async run(ids) {
      const outcomes = await changeRedemptions(id, ids)
      await redemptionLists.refresh(client)
      return outcomes
    },
    done: (count) => t(`bulk.${id}Done`, { count }),
    failed: (count) => t(`bulk.${id}Failed`, { count }),
  })
  return [
    action('enable'),
    action('disable'),
    {
      ...action('delete'),
      danger: true,
      question: (count) => ({
        title: t('bulk.deleteTitle', { count }),
        description: t('delete.description'),
        confirmLabel: t('bulk.deleteConfirm', { count }),
        danger: true,
      }),
    },
  ]
}
