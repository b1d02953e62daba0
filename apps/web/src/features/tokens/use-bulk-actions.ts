import { useTranslation } from 'react-i18next'
import { type BulkAction, useStatusActions } from '../../components/list/index.ts'
import { changeTokens, tokenLists } from './api.ts'

/** What can be done to many keys at once. */
export function useBulkActions(): readonly BulkAction[] {
  const { t } = useTranslation('tokens')
  return useStatusActions({
    change: changeTokens,
    lists: tokenLists,
    text: (name, count) => t(`bulk.${name}`, { count }),
    deletion: t('delete.description'),
  })
}
