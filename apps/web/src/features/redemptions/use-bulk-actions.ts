import { useTranslation } from 'react-i18next'
import { type BulkAction, useStatusActions } from '../../components/list/index.ts'
import { changeRedemptions, redemptionLists } from './api.ts'

/** What can be done to many codes at once. */
export function useBulkActions(): readonly BulkAction[] {
  const { t } = useTranslation('redemptions')
  return useStatusActions({
    change: changeRedemptions,
    lists: redemptionLists,
    text: (name, count) => t(`bulk.${name}`, { count }),
    deletion: t('delete.description'),
  })
}
