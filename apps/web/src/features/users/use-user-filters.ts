import { roles, userFilters } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import {
  groupChoices,
  type ListFilter,
  labelledChoices,
  numberChoices,
  useColumnLabel,
  useFieldFilters,
} from '../../components/list/index.ts'
import { accountStates } from './search.ts'

/** Returns the filters of the list beside its search. */
export function useUserFilters(): readonly ListFilter[] {
  const { t } = useTranslation('users')
  const own: readonly ListFilter[] = [
    {
      name: 'group',
      label: t('column.group'),
      placeholder: t('filter.chooseGroup'),
      choices: groupChoices,
    },
    {
      name: 'role',
      label: t('column.role'),
      placeholder: t('filter.chooseRole'),
      choices: numberChoices(roles, (name) => t(`role.${name}`)),
    },
    {
      name: 'status',
      label: t('column.status'),
      placeholder: t('filter.chooseStatus'),
      choices: labelledChoices(accountStates, (state) => t(`state.${state}`)),
    },
  ]
  return useFieldFilters(userFilters, own, useColumnLabel('users'))
}
